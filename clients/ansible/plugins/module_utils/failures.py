# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells failures that no repetition heals from those that pass. The only place of this decision."""

import re
import ssl
import traceback
from urllib.error import URLError
from urllib.parse import urlsplit

from ansible.module_utils.urls import SSLValidationError

# The codes of OpenSSL for a certificate without the host name or the IP address of the server.
OTHER_NAMES = (62, 64)


class InventoryError(Exception):
    """The server refused a request: http (0 without a reply), status, message, details."""

    def __init__(self, message, http=0, status="UNAVAILABLE", details=(), retry_after=None):
        super().__init__(message)
        self.http = http
        self.status = status
        self.details = list(details)
        self.retry_after = retry_after

    def __str__(self):
        fields = [f"{one.get('field')}: {one.get('message')}" for one in self.details]
        return " ".join([self.args[0], *fields])


class SettingError(InventoryError):
    """An option is wrong, which no repetition heals."""


def address_of(text):
    """The address of a server without a slash at the end, and without /v1, which each path begins with.

    :raises SettingError: which does not show the text: it can contain a password.
    """
    try:
        parts = urlsplit(text.strip())
        port = "" if parts.port is None else f":{parts.port}"
    except ValueError:
        parts = None
    is_address = parts is not None and parts.scheme in ("https", "http") and parts.hostname and "@" not in parts.netloc
    if not is_address or re.search(r"[?#\s]", text.strip()):
        raise SettingError("url (INVENTORY_URL) must be such as https://inventory.example.")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    path = parts.path.rstrip("/")
    # Addresses of API Gateway end with a stage, which can have this name.
    if ".execute-api." not in host:
        path = path.removesuffix("/v1").rstrip("/")
    return f"{parts.scheme}://{host}{port}{path}"


def key_of(text, name):
    """The key without white space and byte order mark around it.

    :raises SettingError: which does not show the text.
    """
    key = text.strip().strip("\ufeff").strip()
    if not re.fullmatch(r"[!-~]+", key):
        raise SettingError(f"{name} is empty, or has a character that no key has.")
    return key


def text_of(path, name):
    """The text of a file that an option names."""
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "replace")
    except OSError as error:
        raise SettingError(f"{name} cannot be read: {error}") from error


def check_certificates(path):
    if path is not None and "-----BEGIN " not in text_of(path, "ca_path (INVENTORY_CA)"):
        raise SettingError(f"ca_path (INVENTORY_CA) contains no certificate in PEM: {path}")


def without_reply(base, error):
    """The failure of a request without a complete reply."""
    reason = error.reason if isinstance(error, URLError) else error
    text = traceback.format_exception_only(error)[-1].strip()
    if isinstance(reason, ssl.SSLCertVerificationError) and reason.verify_code in OTHER_NAMES:
        return SettingError(f"{base} has a certificate with other names: {reason}. Correct url.")
    if isinstance(reason, (ssl.SSLCertVerificationError, SSLValidationError)):
        return SettingError(f"{base} is not trusted: {reason}. Set ca_path (INVENTORY_CA); of npm start: DATA_DIR/tls-cert.pem.")
    if isinstance(reason, ssl.SSLError) and reason.reason in ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE"):
        return SettingError(f"{base} cannot be called: it has no TLS. Correct url.")
    # The message of http.client about a tunnel.
    if match := re.search(r": (40[37] .*)", str(reason)) if "Tunnel connection failed" in str(reason) else None:
        return refused_by_proxy(base, match[1])
    return InventoryError(f"{base} did not answer: {text}")


def refused_by_proxy(base, status):
    return SettingError(
        f"{base} cannot be called: the proxy replied {status}. Correct HTTPS_PROXY or HTTP_PROXY: http://USER:PASSWORD@HOST:PORT."
    )


def redirected(base, target):
    return SettingError(f"{base} redirects to {target}: correct url.")


def unreadable(base, content_type, error):
    """The failure of a complete reply that is no JSON. A cut reply is a part of JSON."""
    if content_type and "json" not in content_type:
        return SettingError(f"{base} is not an inventory: its reply is {content_type}. Correct url.")
    return InventoryError(f"{base} did not answer: {error}")


def is_passing(error, repeatable):
    """Whether a later attempt can succeed. A 429 had no effect."""
    if isinstance(error, SettingError):
        return False
    return error.http == 429 or (repeatable and error.http in (0, 502, 503, 504))
