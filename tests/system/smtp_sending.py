"""A node whose messages go by the stand-in of a mail server."""

import pathlib
import shutil
import tempfile

import world
from certificates import made_certificate
from mail_server import MailServer
from notifying import Notifying

LOGIN = ("acme", "pass=word +/")
SUBJECT = "Ihre Bestellung über 3 Stück – „größer“ 🚚 " + "ß" * 120
TEXT = "Grüße\n.\n..\n.a line that begins with a dot\n" + "long " * 1000 + "\n\nFrom here on\n=?utf-8?q?no_word?=\n\tend \n"
HTML = "<p>Grüße</p>\n.\n<p>" + "ä" * 3000 + "</p>\n"
# Nothing of a test rests on how slow the machine is.
PATIENT_S, HASTY_S = 15, 3


class Smtp(world.SystemTest):

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sluice-mail-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.certificate = made_certificate(self.folder, "mail")

    def node(self, engine="sqlite", trusted=True, patience=PATIENT_S, retries=10):
        """`patience`: seconds a call may take."""
        timeout = f"{patience}s"
        return Notifying(self, engine, {"lease": f"{3 * patience}s", "retry_schedule": ["200ms"] * retries},
                         calls={"connect_timeout": timeout, "call_timeout": timeout,
                                **({"ca_file": str(self.certificate[0])} if trusted else {})},
                         delivery={"settle_after": timeout})

    def server(self, **options):
        made = MailServer(self.certificate, **{"credentials": LOGIN, **options})
        self.addCleanup(made.close)
        return made

    @staticmethod
    def profile(node, port, name="mail", login=LOGIN, **settings):
        """With a route of its own name."""
        credentials = {"username": login[0], "password": login[1]} if login else {}
        node.profile(name, "smtp", {"host": "127.0.0.1", "port": port, "from": "news@example.com", **settings},
                     credentials)
        node.route(name, name)

    def sent(self, node, route="mail", to="Somebody@example.org"):
        """The notification's id."""
        return node.send(node.contact("email", to), route, subject=SUBJECT, text=TEXT, html=HTML)
