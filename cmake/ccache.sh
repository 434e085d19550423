#!/bin/sh
# ccache.sh CCACHE COMPILER ARGUMENTS...: the compiler through ccache, but for precompiled headers: GCC knows the files in one by
# their times, so that one from before a file was checked out again would make it include that file twice.
case "$*" in
  *".gch -c "*) shift ;;
esac
exec "$@"
