#!/bin/sh
# Makes .venv ready: a Python, the locked packages, the system libraries that Qt needs.
# Does nothing when nothing has changed. As root on Debian or Ubuntu it installs what the system
# lacks; otherwise it names the command and stops.
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }
stop() { say "$@"; exit 1; }

on_debian() { command -v apt-get >/dev/null 2>&1; }

# install_or_name WHY PACKAGE...: as root install the packages, else say how and stop.
install_or_name() {
    why=$1; shift
    if on_debian && [ "$(id -u)" = 0 ]; then
        say "$why Installing $*."
        apt-get update -qq >/dev/null
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
    elif on_debian; then
        say "$why Install it, then run this again:"
        stop "    sudo apt-get update && sudo apt-get install --no-install-recommends $*"
    else
        stop "$why"
    fi
}

# Python 3.11 or later; PYTHON=... chooses another one.
find_python() {
    for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python3.14; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
}

can_make_environments() { "$1" -c 'import ensurepip, venv' 2>/dev/null; }

make_environment() {
    python=$(find_python)
    if [ -z "$python" ]; then
        hint="Python 3.11 or later is needed and was not found."
        on_debian || stop "$hint Get it from python.org or your system's packages."
        install_or_name "$hint" python3 python3-venv
        python=$(find_python)
        [ -n "$python" ] || stop "This system's python3 is older than 3.11." \
            "Install a later one beside it and say which: make run PYTHON=python3.12"
    fi
    if ! can_make_environments "$python"; then
        version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        install_or_name "$python cannot make environments (no venv)." "python$version-venv"
    fi
    say "Making .venv with $("$python" --version)."
    "$python" -m venv --clear .venv
}

# What the environment was made from; a moved folder or a changed lock makes it stale.
recipe() { pwd; cat requirements.lock pyproject.toml; }

# Names each package while it is fetched, so that nobody waits before a silent screen.
install_locked() {
    number=$(grep -c '^[A-Za-z0-9]' requirements.lock)
    { .venv/bin/python -m pip install --disable-pip-version-check --progress-bar off \
        --require-hashes --only-binary :all: --no-deps --no-compile -r requirements.lock ||
        echo "failed $?"; } |
        awk -v number="$number" '
            /^failed / { code = $2 }
            /^(Ignoring|Requirement already) / { number-- }
            /^Collecting / { printf "  %d of %d: %s\n", ++count, number, $2 }
            /^Installing collected / { print "  unpacking them" }
            { fflush() }
            END { exit code }' >&2
}

install_packages() {
    wanted=$(recipe | cksum)
    [ "$(cat .venv/recipe 2>/dev/null)" = "$wanted" ] && return
    say "Installing the packages of requirements.lock (the first time: about 400 MB, a few minutes)."
    install_locked
    # All cores compile at once; a package may hold files that are not for this Python.
    .venv/bin/python -m compileall -q -j 0 .venv/lib >/dev/null 2>&1 || true
    .venv/bin/python -m pip install --quiet --disable-pip-version-check \
        --no-deps --no-build-isolation --editable .
    printf '%s\n' "$wanted" > .venv/recipe
}

install_libraries() {
    [ "$(uname -s)" = Linux ] || return 0
    missing=$(.venv/bin/python .setup/libraries.py)
    [ -z "$missing" ] && return
    on_debian || stop "Qt needs system libraries that are not here: $missing"
    # shellcheck disable=SC2086  # one word per package
    install_or_name "Qt needs system libraries that are not here." $missing
}

# An environment does not survive the move of its folder, nor the loss of its Python.
is_sound() {
    case "$(sed -n 's/^command = //p' .venv/pyvenv.cfg 2>/dev/null)" in
        *" $(pwd -P)/.venv") .venv/bin/python -m pip --version >/dev/null 2>&1 ;;
        *) return 1 ;;
    esac
}

is_sound || make_environment
install_packages
install_libraries
