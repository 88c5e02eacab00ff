# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends requests to the inventory. Repeats those that cannot have a second effect."""

import json
import random
import time
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode

from ansible.module_utils.basic import env_fallback
from ansible.module_utils.urls import ConnectionError as AnsibleConnectionError
from ansible.module_utils.urls import SSLValidationError, open_url
from ansible_collections.monitoring_inventory.inventory.plugins.module_utils.failures import (
    InventoryError,
    SettingError,
    address_of,
    check_certificates,
    is_passing,
    key_of,
    redirected,
    refused_by_proxy,
    text_of,
    unreadable,
    without_reply,
)

PAGE_SIZE = 1000

# Longer waits fail.
MAX_WAIT_SECONDS = 60

CONNECTION_OPTIONS = {
    "url": {"type": "str", "required": True, "fallback": (env_fallback, ["INVENTORY_URL"])},
    "api_key": {"type": "str", "no_log": True, "fallback": (env_fallback, ["INVENTORY_KEY"])},
    "api_key_file": {"type": "path", "no_log": False, "fallback": (env_fallback, ["INVENTORY_KEY_FILE"])},
    "ca_path": {"type": "path", "fallback": (env_fallback, ["INVENTORY_CA"])},
    "validate_certs": {"type": "bool", "default": True},
    "timeout": {"type": "int", "default": 30},
    "attempts": {"type": "int", "default": 4},
}


def _refusal(error):
    """The error of the server; a proxy may reply in another form."""
    try:
        body = json.loads(error.read())
    except (ValueError, OSError, HTTPException):
        body = None
    body = body if isinstance(body, dict) else {}
    wait = error.headers.get("Retry-After", "")
    return InventoryError(
        body.get("message", f"The server returned status {error.code}."),
        http=error.code,
        status=body.get("status", "UNKNOWN"),
        details=body.get("details", []),
        retry_after=float(wait) if wait.isdecimal() else None,
    )


class Api:
    """The server. `options` are the values of CONNECTION_OPTIONS."""

    def __init__(self, options):
        self.base = address_of(options["url"])
        self.options = options
        check_certificates(options["ca_path"])
        if options["api_key"]:
            self.key = key_of(options["api_key"], "api_key (INVENTORY_KEY)")
        elif options["api_key_file"]:
            name = f"api_key_file (INVENTORY_KEY_FILE) {options['api_key_file']}"
            self.key = key_of(text_of(options["api_key_file"], name), name)
        else:
            raise SettingError("Set api_key or api_key_file, or the variable INVENTORY_KEY or INVENTORY_KEY_FILE.")

    def _attempt(self, method, url, data, headers):
        try:
            with open_url(
                url,
                method=method,
                data=data,
                headers=headers,
                timeout=self.options["timeout"],
                validate_certs=self.options["validate_certs"],
                ca_path=self.options["ca_path"],
                follow_redirects="none",
                use_netrc=False,
                http_agent="monitoring-inventory-ansible",
            ) as response:
                text, content_type = response.read(), response.headers.get("Content-Type", "")
        except HTTPError as error:
            if 300 <= error.code < 400:
                raise redirected(self.base, error.headers.get("Location")) from None
            if error.code == 407:
                raise refused_by_proxy(self.base, f"407 {error.reason}") from None
            raise _refusal(error) from None
        except (SSLValidationError, AnsibleConnectionError, URLError, OSError, HTTPException, ValueError) as error:
            raise without_reply(self.base, error) from None
        try:
            return json.loads(text) if text else None
        except ValueError as error:
            raise unreadable(self.base, content_type, error) from None

    def request(self, method, path, query=None, body=None, headers=None, repeatable=None):
        """The body of the reply. A 429 had no effect and is always repeated.

        :raises InventoryError: if the server refuses the request or does not answer.
        """
        url = f"{self.base}{path}{'?' + urlencode(query) if query else ''}"
        headers = dict(headers or {}, Authorization=f"Bearer {self.key}")
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body)
        if repeatable is None:
            repeatable = method != "POST" and (method != "PATCH" or "If-Match" in headers)
        uncertain = False
        for number in range(1, self.options["attempts"] + 1):
            try:
                return self._attempt(method, url, data, headers)
            except InventoryError as error:
                # The attempt without a reply removed it.
                if uncertain and method == "DELETE" and error.http == 404:
                    return None
                wait = max(2**number / 8 * (1 + random.random()), error.retry_after or 0)
                if not is_passing(error, repeatable) or number == self.options["attempts"] or wait > MAX_WAIT_SECONDS:
                    raise
                uncertain = uncertain or error.http != 429
                time.sleep(wait)

    def get(self, path, **query):
        return self.request("GET", path, query)

    def objects(self, path, **query):
        """All objects of a list, in pages as large as the server allows."""
        query["page_size"] = PAGE_SIZE
        while True:
            page = self.get(path, **query)
            yield from next(value for value in page.values() if isinstance(value, list))
            if "next_page_token" not in page:
                return
            query["page_token"] = page["next_page_token"]


def in_path(name):
    return quote(name, safe="")


def in_selector(value):
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
