#!/bin/sh
# Written by `skilltree hook install`, and removed by `skilltree hook uninstall`.
program=PROGRAM
[ -x "$program" ] || program=skilltree
exec "$program" hook run NAME
