"""The npm package `standardwebhooks`, installed once into the build folder.

Environment: SLUICE_VERIFIER is the folder it is installed in."""

import base64
import json
import os
import pathlib
import shutil
import subprocess

from processes import SOURCES

OWN = SOURCES / "tests" / "system" / "webhook_verifier"
FOLDER = pathlib.Path(os.environ.get("SLUICE_VERIFIER") or SOURCES / "build" / "release" / "webhook_verifier")


def why_missing():
    """Nothing once the package is there."""
    if not (shutil.which("node") and shutil.which("npm")):
        return "there is no Node with npm"
    wanted = (OWN / "package.json").read_text()
    installed = FOLDER / "installed"
    if installed.exists() and installed.read_text() == wanted:
        return None
    FOLDER.mkdir(parents=True, exist_ok=True)
    shutil.copy(OWN / "package.json", FOLDER)
    try:
        done = subprocess.run(
            ["npm", "install", "--prefix", FOLDER, "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts",
             "--loglevel=error", "--fetch-retries=1", "--fetch-timeout=20000"],
            capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        return "npm could not install the package standardwebhooks within 120 s"
    if done.returncode != 0:
        return f"npm could not install the package standardwebhooks: {done.stderr.strip()}"
    installed.write_text(wanted)
    return None


def verify(pushes, secret):
    """What the package says of each push: "good", or why it is not."""
    shutil.copy(OWN / "verify.mjs", FOLDER)  # modules are found from the folder a script lies in
    lines = "".join(json.dumps({"secret": secret, "headers": push.headers,
                                "body": base64.b64encode(push.body).decode()}) + "\n" for push in pushes)
    done = subprocess.run(["node", FOLDER / "verify.mjs"], input=lines, capture_output=True, text=True, timeout=120,
                          check=True)
    return done.stdout.splitlines()
