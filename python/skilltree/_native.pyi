"""The native part of the module: plain values in, dictionaries out."""

import os
from datetime import timedelta
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

_Path = Union[str, "os.PathLike[str]"]

__version__: str

class Error(Exception):
    """The skills could not be read or checked: where the program exits with status 2."""

    hint: Optional[str]

def check(path: _Path, reading: Mapping[str, Any]) -> Dict[str, Any]: ...
def forecast(path: _Path, reading: Mapping[str, Any]) -> List[Dict[str, Any]]: ...
def diff(path: _Path, reading: Mapping[str, Any]) -> Dict[str, Any]: ...
def prompt(path: _Path, reading: Mapping[str, Any], selecting: Mapping[str, Any]) -> Dict[str, Any]: ...
def rows(repository: str, path: _Path, time_limit: Optional[timedelta], reading: Mapping[str, Any]) -> Dict[str, Dict[str, List[Any]]]: ...
def tables() -> List[Tuple[str, List[Tuple[str, str, bool]]]]: ...
