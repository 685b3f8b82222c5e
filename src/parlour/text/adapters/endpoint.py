"""Language models behind an OpenAI-compatible endpoint, as text policies. Nothing but the standard library is used."""

from __future__ import annotations

import json
import os
import threading
import time
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from parlour.support.arguments import shown
from parlour.text.seating import Conversation

ADDRESS, KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"
"""The environment variables that hold the endpoint's address, such as ``https://host/v1``, and its key."""
MAX_ANSWER = 8 << 20
"""Bytes of an answer that are read at most."""
TRIES, MAX_WAIT = 4, 60.0
"""How often a request is made if the endpoint is busy, and the most seconds between two tries."""
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Endpoint:
    """A model: called with a conversation, it gives its reply. May be called in several threads.

    Attributes:
        model: its name.
        requests, prompt_tokens, completion_tokens: so far, as the endpoint counts them.
    """

    def __init__(self, model: str, address: str, key: str = "", timeout: float = 120.0, **sampling: Any) -> None:
        """``sampling``: further entries of requests, such as ``temperature``. ValueError for an address that is none,
        or that would send the key unencrypted to another machine."""
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{ADDRESS} must be an address such as https://host/v1")
        if key and parts.scheme == "http" and parts.hostname not in LOOPBACK:
            raise ValueError(f"{ADDRESS} must begin with https, since the key is sent there")
        self.model, self._url, self._key = model, f"{address.rstrip('/')}/chat/completions", key
        self._timeout, self._sampling = timeout, sampling
        self.requests = self.prompt_tokens = self.completion_tokens = 0
        self._opener, self._lock = build_opener(_NoRedirect()), threading.Lock()

    @classmethod
    def from_environment(cls, model: str, **settings: Any) -> Endpoint:
        """With address and key from the environment. ValueError if there is no address."""
        if not os.environ.get(ADDRESS):
            raise ValueError(f"the environment variable {ADDRESS} must hold the endpoint's address (and {KEY} its key)")
        return cls(model, os.environ[ADDRESS], os.environ.get(KEY, ""), **settings)

    def __call__(self, conversation: Conversation) -> str:
        """The model's reply. ValueError if the endpoint gives none."""
        body = json.dumps({"model": self.model, "messages": conversation, **self._sampling}).encode()
        answer = self._answer(body)
        try:
            text = answer["choices"][0]["message"].get("content") or ""
            usage = answer.get("usage") or {}
            counts = [int(usage.get(name) or 0) for name in ("prompt_tokens", "completion_tokens")]
        except (KeyError, IndexError, TypeError, AttributeError, ValueError):
            raise ValueError(f"the endpoint's answer has no reply: {shown(answer)}") from None
        if not isinstance(text, str):
            raise ValueError(f"the endpoint's reply is no text: {shown(text)}")
        with self._lock:
            self.requests += 1
            self.prompt_tokens += counts[0]
            self.completion_tokens += counts[1]
        return text

    def _answer(self, body: bytes) -> Any:
        """What the endpoint answers, as JSON."""
        headers = {"Content-Type": "application/json", "User-Agent": "parlour"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        for tried in range(1, TRIES + 1):
            try:
                with self._opener.open(Request(self._url, body, headers), timeout=self._timeout) as response:
                    return json.loads(response.read(MAX_ANSWER))
            except HTTPError as error:
                if tried == TRIES or not (error.code == 429 or error.code >= 500):
                    told = error.read(500).decode(errors="replace")
                    raise ValueError(f"the endpoint answered {error.code} {error.reason}: {told}") from None
                time.sleep(_wait(error.headers.get("Retry-After"), tried))
            except (URLError, HTTPException, OSError, ValueError) as error:
                if tried == TRIES:
                    raise ValueError(f"the endpoint can't be asked: {error}") from None
                time.sleep(_wait(None, tried))
        raise AssertionError("unreachable")


class _NoRedirect(HTTPRedirectHandler):
    """Refuses to be sent elsewhere, since the key would go along."""

    def redirect_request(self, *arguments: Any) -> None:
        """None: the answer is an error."""


def _wait(asked: str | None, tried: int) -> float:
    """Seconds until the next try: what the endpoint asks for, or twice as long each time."""
    return min(float(asked) if asked and asked.isdecimal() else 0.5 * 2**tried, MAX_WAIT)
