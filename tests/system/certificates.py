"""Certificates of the tests' own signing: who trusts one trusts its server."""

import pathlib
import shutil
import subprocess
import tempfile


def made_certificate(folder, name="certificate"):
    """Files of a certificate for 127.0.0.1 and of its key, in PEM."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                    "2", "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key,
                    "-out", certificate], check=True, capture_output=True)
    return certificate, key


def certificate_for(test):
    """The same in a folder that lasts as long as the test."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sluice-system-"))
    test.addCleanup(shutil.rmtree, folder, ignore_errors=True)
    return made_certificate(folder)
