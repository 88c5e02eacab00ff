"""Connects the generated client to a server: settings, repetitions and pages."""

import json
import os
import random
import re
import ssl
import time
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from typing import Any, ParamSpec, Protocol, TypeVar

import anyio
import httpx

from .client import AuthenticatedClient
from .contract import POSTS_WITH_KEY, REPEATABLE_POSTS
from .failures import (
    InventoryError,
    SettingError,
    address_of,
    certificates_in,
    check_reply,
    is_passing,
    key_in_file,
    key_of,
    permanent_failure,
    refused_by_proxy,
)
from .types import Unset

# Longer waits are left to the caller, which reads `retry_after`.
MAX_WAIT_SECONDS = 60


def _is_post_of(templates: list[str], request: httpx.Request) -> bool:
    patterns = (re.sub(r"\{\w+\}", "[^/]+", template) + "$" for template in templates)
    return request.method == "POST" and any(re.search(pattern, request.url.path) for pattern in patterns)


class _Repetition:
    """Decides after each attempt of a request. An add gets an Idempotency-Key, the same in each attempt."""

    def __init__(self, request: httpx.Request, base: str, attempts: int) -> None:
        self.request, self.base, self.attempts, self.number = request, base, attempts, 0
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
        if isinstance(failure, httpx.TransportError) and (wrong := permanent_failure(self.base, failure)):
            raise wrong from self.uncertain or failure
        error = failure if isinstance(failure, InventoryError) else None
        wait = max(2.0**self.number / 8 * (1 + random.random()), (error and error.retry_after) or 0)
        if not is_passing(failure, self.is_repeatable) or self.number >= self.attempts or wait > MAX_WAIT_SECONDS:
            raise failure from self.uncertain
        self.uncertain = self.uncertain if error is not None and error.http == 429 else failure
        return wait

    def checked(self, response: httpx.Response) -> httpx.Response:
        if response.status_code == 404 and self.request.method == "DELETE" and self.uncertain is not None:
            return httpx.Response(204, request=self.request)  # The attempt without a reply removed it.
        if response.status_code == 407:
            raise refused_by_proxy(self.base, f"407 {response.reason_phrase}")
        if response.status_code >= 400 or response.status_code == 304:
            raise InventoryError(response)
        check_reply(self.base, response)
        return response


class _Client(httpx.Client):
    base, attempts = "", 4

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        request.read()
        repetition = _Repetition(request, self.base, self.attempts)
        while True:
            try:
                return repetition.checked(super().send(request, **options))
            except (httpx.TransportError, InventoryError) as failure:
                time.sleep(repetition.wait_after(failure))


class _AsyncClient(httpx.AsyncClient):
    base, attempts = "", 4

    async def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        await request.aread()
        repetition = _Repetition(request, self.base, self.attempts)
        while True:
            try:
                return repetition.checked(await super().send(request, **options))
            except (httpx.TransportError, InventoryError) as failure:
                await anyio.sleep(repetition.wait_after(failure))


def _secret_of(key: str | Callable[[], str] | None) -> Callable[[], str]:
    """Returns the key for each request."""
    if callable(key):
        read = key
        return lambda: key_of(read())
    if key is not None or (key := os.environ.get("INVENTORY_KEY")):
        fixed = key_of(key, "key (INVENTORY_KEY)")
        return lambda: fixed
    if file := os.environ.get("INVENTORY_KEY_FILE"):
        return lambda: key_in_file(file)
    raise SettingError("key", "There is no key: give connect() the argument key, or set INVENTORY_KEY or INVENTORY_KEY_FILE.")


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
    `timeout` limits one attempt, in seconds. Raises SettingError if a setting is wrong or absent.
    """
    if not (url := url or os.environ.get("INVENTORY_URL")):
        raise SettingError("url", "There is no server: give connect() the argument url, or set INVENTORY_URL.")
    base = address_of(url, "url (INVENTORY_URL)")
    secret = _secret_of(key)
    verify = certificates_in(ca or os.environ.get("INVENTORY_CA") or None)
    if os.environ.get("INVENTORY_INSECURE") in ("1", "true") if insecure is None else insecure:
        verify.check_hostname, verify.verify_mode = False, ssl.CERT_NONE

    def authorize(request: httpx.Request) -> httpx.Request:
        request.headers["Authorization"] = f"Bearer {secret()}"
        return request

    settings: dict[str, Any] = {"base_url": base, "verify": verify, "timeout": timeout, "auth": authorize}
    client, async_client = _Client(**settings), _AsyncClient(**settings)
    client.base = async_client.base = base
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
