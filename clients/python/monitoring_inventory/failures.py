"""Tells failures that no repetition heals from those that pass. The only place of this decision."""

import re
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

# The codes of OpenSSL for a certificate without the host name or the IP address of the server.
OTHER_NAMES = (62, 64)


class InventoryError(Exception):
    """The server refused the request, or the object has not changed (304): `http`, `status`, `message`, `details`, `request_id`, `retry_after` in seconds or None."""

    http: int
    status: str
    message: str
    details: list[dict[str, Any]]
    request_id: str | None
    retry_after: float | None

    def __init__(self, response: httpx.Response) -> None:
        try:
            body = response.json()
        except ValueError:
            body = None  # A proxy may reply in another form.
        if response.status_code == 304:
            body = {"status": "NOT_MODIFIED", "message": "The object has not changed."}
        body = body if isinstance(body, dict) else {}
        self.http = response.status_code
        self.status = body.get("status", "UNKNOWN")
        self.message = body.get("message", f"The server returned status {self.http}.")
        self.details = body.get("details", [])
        self.request_id = body.get("request_id", response.headers.get("X-Request-Id"))
        self.retry_after = _seconds(response.headers.get("Retry-After"))
        super().__init__(self.message)


class SettingError(InventoryError):
    """A setting is wrong, which no repetition heals: `setting` is `url`, `key`, `ca`, `proxy` or `headers`, `http` is 0, `status` is FAILED_PRECONDITION."""

    def __init__(self, setting: str, message: str) -> None:
        Exception.__init__(self, message)
        self.setting = setting
        self.http, self.status, self.message = 0, "FAILED_PRECONDITION", message
        self.details, self.request_id, self.retry_after = [], None, None


def _seconds(text: str | None) -> float | None:
    return float(text) if text is not None and text.isdecimal() else None


def address_of(text: str, name: str = "url") -> str:
    """The address of a server without a slash at the end, and without /v1, which each path begins with.

    Raises SettingError, which does not show the text: it can contain a password.
    """
    try:
        parts = urlsplit(text.strip())
        port = "" if parts.port is None else f":{parts.port}"
    except ValueError:
        parts = None
    is_address = parts is not None and parts.scheme in ("https", "http") and parts.hostname and "@" not in parts.netloc
    if parts is None or parts.hostname is None or not is_address or re.search(r"[?#\s]", text.strip()):
        raise SettingError("url", f"{name} must be such as https://inventory.example.")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    path = parts.path.rstrip("/")
    # Addresses of API Gateway end with a stage, which can have this name.
    if ".execute-api." not in host:
        path = path.removesuffix("/v1").rstrip("/")
    return f"{parts.scheme}://{host}{port}{path}"


def key_of(text: str, name: str = "key") -> str:
    """The key without white space and byte order mark around it. Raises SettingError, which does not show the text."""
    key = text.strip().strip("\ufeff").strip()
    if not re.fullmatch(r"[!-~]+", key):
        raise SettingError("key", f"{name} is empty, or has a character that no key has.")
    return key


def key_in_file(path: str) -> str:
    """The key in the file that INVENTORY_KEY_FILE names."""
    try:
        text = Path(path).read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise SettingError("key", f"INVENTORY_KEY_FILE cannot be read: {error}") from error
    return key_of(text, f"The key in {path} (INVENTORY_KEY_FILE)")


def certificates_in(path: str | None) -> ssl.SSLContext:
    """A context that trusts the authorities in a file; without one, those of the system."""
    try:
        return ssl.create_default_context(cafile=path)
    except OSError as error:  # Also one of TLS.
        raise SettingError("ca", f"ca (INVENTORY_CA) contains no certificate in PEM, {path}: {error}") from error


def _causes(failure: httpx.TransportError) -> Iterator[BaseException]:
    """The errors behind a failure. An error that the caller is handling is the context of the last one, and none of them."""
    cause: BaseException | None = failure
    while cause is not None and (cause is failure or not isinstance(cause, (httpx.HTTPError, InventoryError))):
        yield cause
        cause = cause.__cause__ or cause.__context__


def permanent_failure(base: str, failure: httpx.TransportError) -> SettingError | None:
    """The failure of a request without a reply, if no repetition can have one."""
    for cause in _causes(failure):
        if isinstance(cause, ssl.SSLCertVerificationError) and cause.verify_code in OTHER_NAMES:
            return SettingError("url", f"{base} has a certificate with other names: {failure}. Correct url.")
        if isinstance(cause, ssl.SSLCertVerificationError):
            return SettingError(
                "ca", f"{base} is not trusted: {failure}. Set ca (INVENTORY_CA); of npm start: DATA_DIR/tls-cert.pem."
            )
        if isinstance(cause, ssl.SSLError) and cause.reason in ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE"):
            return SettingError("url", f"{base} cannot be called: it has no TLS. Correct url.")
        if isinstance(cause, httpx.ProxyError) and re.match("40[37] ", str(cause)):
            return refused_by_proxy(base, str(cause))
        if isinstance(cause, httpx.LocalProtocolError):
            return SettingError("headers", f"{base} cannot be called: {cause}.")
    return None


def refused_by_proxy(base: str, status: str) -> SettingError:
    return SettingError(
        "proxy",
        f"{base} cannot be called: the proxy replied {status}. "
        "Correct HTTPS_PROXY or HTTP_PROXY: http://USER:PASSWORD@HOST:PORT.",
    )


def check_reply(base: str, response: httpx.Response) -> None:
    """Raises SettingError if the server is no inventory, and httpx.RemoteProtocolError if a part of the reply is missing."""
    if response.has_redirect_location:
        raise SettingError("url", f"{base} redirects to {response.headers['Location']}: correct url.")
    kind = response.headers.get("Content-Type", "")
    if not response.is_success or not response.content or re.search("ndjson|openmetrics", kind):
        return
    try:
        response.json()
    except ValueError as error:
        if kind and "json" not in kind:
            raise SettingError("url", f"{base} is not an inventory: its reply is {kind}. Correct url.") from None
        raise httpx.RemoteProtocolError(f"A part of the reply is missing: {error}", request=response.request) from None


def is_passing(failure: Exception, is_repeatable: bool) -> bool:
    """Whether a later attempt can succeed. A 429 had no effect."""
    if not isinstance(failure, InventoryError):
        return is_repeatable
    return failure.http == 429 or (is_repeatable and failure.http in (502, 503, 504))
