"""Texts that nobody but their owner may see, and the search for them in whatever form they got somewhere."""

import base64
import binascii
import json
import quopri
import urllib.parse


def base64_forms(data):
    """What the text is within a longer one, wherever in it it begins; in both alphabets."""
    for before in range(3):
        encoded = base64.b64encode(b"\0" * before + data)
        begin = -(-before * 8 // 6)
        whole = encoded[begin:(before + len(data)) * 8 // 6]
        yield whole
        yield whole.translate(bytes.maketrans(b"+/", b"-_"))


def folded_forms(data):
    """Those in which upper and lower case are one."""
    text = data.decode()
    yield from (data, binascii.hexlify(data), json.dumps(text)[1:-1].encode(), repr(text)[1:-1].encode(),
                urllib.parse.quote(text).encode(), urllib.parse.quote(text, safe="").encode(),
                "".join(f"%{byte:02x}" for byte in data).encode(), quopri.encodestring(data).strip(),
                " ".join(f"{byte:02x}" for byte in data).encode())


class Canaries:
    """Name to text. A text is at least 12 bytes long, so that no form of it turns up by chance."""

    def __init__(self, texts):
        self.exact, self.folded = [], []
        for name, text in texts.items():
            data = text.encode()
            assert len(data) >= 12, name
            self.exact += [(name, form) for form in set(base64_forms(data))]
            self.folded += [(name, form) for form in {form.lower() for form in folded_forms(data)}]

    def found_in(self, content):
        """Names of those that are there."""
        data = content.encode() if isinstance(content, str) else content
        lower = data.lower()
        return sorted({name for name, form in self.exact if form in data}
                      | {name for name, form in self.folded if form in lower})

    def found_by_place(self, places):
        """Content by place; the names of those that are there, by the places that have any."""
        return {str(place): names for place, content in places.items() if (names := self.found_in(content))}


def hiding_places(text):
    """What a search has to find the text in."""
    data = text.encode()
    yield from (data, data.lower(), data.upper(), binascii.hexlify(data), binascii.hexlify(data).upper(),
                base64.b64encode(b"x" + data + b"yz"), base64.b64encode(b"xy" + data), base64.b64encode(data),
                base64.urlsafe_b64encode(b">>?" + data), urllib.parse.quote(text, safe="").encode(),
                json.dumps({"a": [text]}).encode(), b"before " + data + b" behind")
