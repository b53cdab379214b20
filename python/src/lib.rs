//! The native part of the Python module `skilltree`: plain values in, dictionaries out. `skilltree/__init__.py` makes
//! dataclasses of them, checks what excludes each other, and holds the documentation.

mod options;
mod rows;
mod tables;

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(
    skilltree,
    Error,
    PyException,
    "The skills could not be read or checked: where the program exits with status 2.\n\nThe attribute `hint` says what to do, or is None."
);

/// Reads and checks the skills of a repository.
#[pymodule]
mod _native {
    use std::path::PathBuf;
    use std::time::Duration;

    use pyo3::prelude::*;

    #[pymodule_export]
    use super::Error;
    use super::options::{Reading, Selecting};
    use super::rows::{Artifact, Diff, Forecast, Report};
    use super::run;
    use super::tables::{self, Columns, Definition};

    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name that Python modules use")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pyfunction]
    fn check(py: Python<'_>, path: PathBuf, reading: Reading) -> PyResult<Report> {
        let options = reading.options();
        run(py, || Ok(Report::from(skilltree::check(&path, &options)?)))
    }

    #[pyfunction]
    fn forecast(py: Python<'_>, path: PathBuf, reading: Reading) -> PyResult<Vec<Forecast>> {
        let options = reading.options();
        run(py, || Ok(skilltree::forecast(&path, &options)?.into_iter().map(Forecast::from).collect()))
    }

    #[pyfunction]
    fn diff(py: Python<'_>, path: PathBuf, reading: Reading) -> PyResult<Diff> {
        let options = reading.options();
        run(py, || Ok(Diff::from(&skilltree::diff(&path, &options)?)))
    }

    #[pyfunction]
    fn prompt(py: Python<'_>, path: PathBuf, reading: Reading, selecting: Selecting) -> PyResult<Artifact> {
        let (options, selection) = (reading.options(), selecting.options());
        run(py, || Ok(Artifact::from(&skilltree::prompt(&path, &options, &selection)?)))
    }

    #[pyfunction]
    fn rows(
        py: Python<'_>,
        repository: &str,
        path: PathBuf,
        time_limit: Option<Duration>,
        reading: Reading,
    ) -> Columns {
        let options = reading.options();
        py.detach(|| tables::columns(&skilltree::rows(repository, &path, &options, time_limit)))
    }

    #[pyfunction(name = "tables")]
    fn definitions() -> Vec<Definition> {
        tables::definitions()
    }
}

/// Calls the library while other Python threads run.
fn run<T: Send>(py: Python<'_>, call: impl FnOnce() -> Result<T, skilltree::Error> + Send) -> PyResult<T> {
    // An error holds the report of a faulty configuration. Only its text is kept.
    let result = py.detach(|| call().map_err(|error| (error.to_string(), error.hint().map(str::to_owned))));
    result.map_err(|(message, hint)| {
        let error = Error::new_err(message);
        match error.value(py).setattr("hint", hint) {
            Ok(()) => error,
            Err(failed) => failed,
        }
    })
}
