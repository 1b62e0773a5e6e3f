#!/bin/sh
# The journeys of tests/screens on real X screens with a window manager, one size after another.
# Pictures of what a person sees go to build/journeys. Ends with 1 if any journey failed.
set -eu
cd "$(dirname "$0")/.."

missing=""
for program in Xvfb openbox xdotool; do
    command -v "$program" >/dev/null 2>&1 || missing="$missing $program"
done
if [ -n "$missing" ]; then
    printf '%s\n' "make journeys lacks:$missing (Debian, Ubuntu: apt-get install xvfb openbox xdotool)" >&2
    exit 1
fi

work=$(mktemp -d)
server="" manager=""
stop() {
    [ -z "$manager" ] || kill "$manager" 2>/dev/null || true
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    [ -z "$server" ] || wait "$server" 2>/dev/null || true
    server="" manager=""
}
trap 'stop; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# start SIZE: an X server with a screen of this size, and a window manager on it.
start() {
    : > "$work/display"
    Xvfb -screen 0 "$1x24" -nolisten tcp -displayfd 3 3> "$work/display" > "$work/server" 2>&1 &
    server=$!
    tries=0
    until [ -s "$work/display" ]; do
        tries=$((tries + 1))
        if [ "$tries" -gt 100 ] || ! kill -0 "$server" 2>/dev/null; then
            printf '%s\n' "make journeys: Xvfb did not start: $(tail -n 1 "$work/server")" >&2
            exit 1
        fi
        sleep 0.1
    done
    DISPLAY=":$(head -n 1 "$work/display")"
    export DISPLAY
    HOME="$work" openbox --sm-disable > "$work/manager" 2>&1 &
    manager=$!
}

failed=0
for screen in ${SCREENS:-1280x800@1 1440x900@1 1920x1080@1 1600x1000@2}; do
    size=${screen%@*} factor=${screen#*@}
    printf '%s\n' "== $size at ${factor}00 %"
    start "$size"
    CONSTELLATION_SCREEN=xcb QT_SCALE_FACTOR="$factor" CONSTELLATION_PICTURES="build/journeys/$screen" \
        .venv/bin/python -m pytest -n 0 -m screen tests/screens "$@" || failed=1
    stop
done
exit "$failed"
