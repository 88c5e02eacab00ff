"""Connects the generated client to a server: settings, repetitions, errors and pages. The rest of the package is generated."""

import json
import os
import random
import re
import ssl
import time
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeVar

import anyio
import httpx

from .client import AuthenticatedClient
from .contract import POSTS_WITH_KEY, REPEATABLE_POSTS
from .types import Unset

# Longer waits are left to the caller, which reads `retry_after`.
MAX_WAIT_SECONDS = 60


class InventoryError(Exception):
    """The server refused the request, or the object has not changed (304): `http`, `status`, `message`, `details`, `request_id`, `retry_after` in seconds or None."""

    def __init__(self, response: httpx.Response) -> None:
        try:
            body = response.json()
        except ValueError:
            body = None  # A proxy may reply in another form.
        if response.status_code == 304:
            body = {"status": "NOT_MODIFIED", "message": "The object has not changed."}
        body = body if isinstance(body, dict) else {}
        self.http = response.status_code
        self.status: str = body.get("status", "UNKNOWN")
        self.message: str = body.get("message", f"The server returned status {self.http}.")
        self.details: list[dict[str, Any]] = body.get("details", [])
        self.request_id = body.get("request_id", response.headers.get("X-Request-Id"))
        self.retry_after = _seconds(response.headers.get("Retry-After"))
        super().__init__(self.message)


def _seconds(text: str | None) -> float | None:
    return float(text) if text is not None and text.isdecimal() else None


def _is_post_of(templates: list[str], request: httpx.Request) -> bool:
    patterns = (re.sub(r"\{\w+\}", "[^/]+", template) + "$" for template in templates)
    return request.method == "POST" and any(re.search(pattern, request.url.path) for pattern in patterns)


class _Repetition:
    """Decides after each attempt of a request. An add gets an Idempotency-Key, the same in each attempt."""

    def __init__(self, request: httpx.Request, attempts: int) -> None:
        self.request, self.attempts, self.number = request, attempts, 0
        self.uncertain: Exception | None = None  # The failure of an attempt whose effect is unknown.
        for field, templates in POSTS_WITH_KEY.items():
            if _is_post_of(templates, request) and (field == "" or json.loads(request.content).get(field) is True):
                request.headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        self.is_repeatable = (
            request.method not in ("POST", "PATCH")
            or any(name in request.headers for name in ("Idempotency-Key", "If-Match"))
            or _is_post_of(REPEATABLE_POSTS, request)
        )

    def wait_after(self, failure: Exception) -> float:
        """The seconds until the next attempt. Raises the failure if no other attempt is possible."""
        self.number += 1
        error = failure if isinstance(failure, InventoryError) else None
        wait = max(2.0**self.number / 8 * (1 + random.random()), (error and error.retry_after) or 0)
        is_refused = error is not None and error.http == 429
        can_repeat = is_refused or (self.is_repeatable and (error is None or error.http in (502, 503, 504)))
        if not can_repeat or self.number >= self.attempts or wait > MAX_WAIT_SECONDS:
            raise failure from self.uncertain
        self.uncertain = self.uncertain if is_refused else failure
        return wait

    def checked(self, response: httpx.Response) -> httpx.Response:
        if response.status_code == 404 and self.request.method == "DELETE" and self.uncertain is not None:
            return httpx.Response(204, request=self.request)  # The attempt without a reply removed it.
        if response.status_code >= 400 or response.status_code == 304:
            raise InventoryError(response)
        return response


class _Client(httpx.Client):
    attempts = 4

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        request.read()
        repetition = _Repetition(request, self.attempts)
        while True:
            try:
                return repetition.checked(super().send(request, **options))
            except (httpx.TransportError, InventoryError) as failure:
                time.sleep(repetition.wait_after(failure))


class _AsyncClient(httpx.AsyncClient):
    attempts = 4

    async def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        await request.aread()
        repetition = _Repetition(request, self.attempts)
        while True:
            try:
                return repetition.checked(await super().send(request, **options))
            except (httpx.TransportError, InventoryError) as failure:
                await anyio.sleep(repetition.wait_after(failure))


def _key_of_environment() -> str:
    file = os.environ.get("INVENTORY_KEY_FILE")
    return Path(file).read_text() if file and "INVENTORY_KEY" not in os.environ else os.environ["INVENTORY_KEY"]


def connect(
    url: str | None = None,
    key: str | Callable[[], str] | None = None,
    *,
    ca: str | None = None,
    insecure: bool | None = None,
    timeout: float = 30,
    attempts: int = 4,
) -> AuthenticatedClient:
    """A client of the server. It sends nothing before the first call.

    Defaults: INVENTORY_URL, INVENTORY_KEY or INVENTORY_KEY_FILE, INVENTORY_CA (file with certificates of authorities in PEM),
    INVENTORY_INSECURE=1. A function as the key is called for each request, so that a rotated key counts at once.
    `timeout` limits one attempt, in seconds.
    """
    base = (url or os.environ["INVENTORY_URL"]).rstrip("/")
    secret = key if callable(key) else (lambda: key) if key is not None else _key_of_environment
    verify = ssl.create_default_context(cafile=ca or os.environ.get("INVENTORY_CA"))
    if os.environ.get("INVENTORY_INSECURE") == "1" if insecure is None else insecure:
        verify.check_hostname, verify.verify_mode = False, ssl.CERT_NONE

    def authorize(request: httpx.Request) -> httpx.Request:
        request.headers["Authorization"] = f"Bearer {secret().strip()}"
        return request

    settings: dict[str, Any] = {"base_url": base, "verify": verify, "timeout": timeout, "auth": authorize}
    client, async_client = _Client(**settings), _AsyncClient(**settings)
    client.attempts = async_client.attempts = attempts
    generated = AuthenticatedClient(base_url=base, token="")
    return generated.set_httpx_client(client).set_async_httpx_client(async_client)


Parameters = ParamSpec("Parameters")
Item = TypeVar("Item", covariant=True)


class Page(Protocol[Item]):
    """A page of a list."""

    @property
    def page_items(self) -> Sequence[Item]: ...

    @property
    def next_page_token(self) -> str | Unset: ...


class ListOperation(Protocol[Parameters, Item]):
    """The module of an operation that returns a page."""

    @property
    def sync(self) -> Callable[Parameters, Page[Item]]: ...

    @property
    def asyncio(self) -> Callable[Parameters, Coroutine[Any, Any, Page[Item]]]: ...


def pages(
    operation: ListOperation[Parameters, Item], *path: Parameters.args, **query: Parameters.kwargs
) -> Iterator[Item]:
    """The objects of all pages of a list, such as `pages(list_nodes, client=client, region="eu")`."""
    while True:
        page = operation.sync(*path, **query)
        yield from page.page_items
        if not page.next_page_token:
            return
        query["page_token"] = page.next_page_token


async def pages_async(
    operation: ListOperation[Parameters, Item], *path: Parameters.args, **query: Parameters.kwargs
) -> AsyncIterator[Item]:
    """The same for `async for`."""
    while True:
        page = await operation.asyncio(*path, **query)
        for item in page.page_items:
            yield item
        if not page.next_page_token:
            return
        query["page_token"] = page.next_page_token
