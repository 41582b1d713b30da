"""The loop of SPEC section 8: ask, run the calls, ask again, and end in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeAlias

from tm.chat.calls import fresh_id, with_ids
from tm.chat.completion import Completion
from tm.chat.events import ChatSink, Noted, TextEnded, TextShown
from tm.chat.failures import ServerError
from tm.chat.json_plan import flattened, plan_request, read_plan
from tm.chat.model import Model
from tm.chat.runs import Answered, ToolRuns
from tm.chat.text_calls import HeldText, with_text_calls
from tm.errors import ChatError
from tm.records import field, record, replace

Protocol: TypeAlias = Literal["tools", "json-plan"]
Choice: TypeAlias = Literal["auto", "tools", "json-plan"]
Message: TypeAlias = dict[str, Any]
MAX_ROUNDS: Final = 8


@record(frozen=False)
class Question:
    """One question and everything that comes of it.

    Attributes:
        messages: of the chat: system prompt, history, and the user's message.
        definitions: of the tools, in OpenAI form; empty: the assistant has none.
        settings: further keys of every request: model, temperature, max_tokens.
        keep: told each message that is added.
        answered: every call, in order.
        rounds: answers whose calls were run.
        usage: token counts of all requests together.
    """

    model: Model
    runs: ToolRuns
    messages: list[Message]
    definitions: list[dict[str, Any]]
    settings: Mapping[str, Any]
    sink: ChatSink
    keep: Callable[[Message], None]
    max_rounds: int = MAX_ROUNDS
    choice: Choice = "auto"
    protocol: Protocol = "tools"
    answered: list[Answered] = field(default_factory=list)
    rounds: int = 0
    usage: dict[str, int] = field(default_factory=dict)
    shown: str = ""

    def answer(self) -> str:
        """Return the answer in words.

        Raises:
            ChatError: TM519, there is none.
        """
        if self.choice == "json-plan":
            return self._by_plan()
        try:
            while self._may_call():
                completion = self._ask(self.messages, tools=True)
                if completion.calls:
                    self._run(completion)
                elif completion.text:
                    return self._end(completion)
                elif self._may_plan():
                    return self._by_plan()
                else:
                    break
        except ServerError as error:
            if not (error.rejects_tools and self._may_plan()):
                raise
            self.sink(Noted(f"this server takes no tools ({error.message}); asking for a plan"))
            return self._by_plan()
        return self._last_words()

    def _may_call(self) -> bool:
        is_open = self.rounds < self.max_rounds and not self.runs.repeats.is_exhausted
        return bool(self.definitions) and is_open

    def _may_plan(self) -> bool:
        return self.choice == "auto" and self.rounds == 0

    def _run(self, completion: Completion) -> None:
        """Run the calls of an answer, and add it and their results to the messages."""
        taken = {call["id"] for m in self.messages for call in m.get("tool_calls") or ()}
        calls = with_ids(completion.calls, taken, fresh_id)
        self._add(replace(completion, calls=calls).to_message())
        self.rounds += 1
        for answered in self.runs.answer_all(calls):
            self.answered.append(answered)
            self._add(answered.to_message())

    def _last_words(self) -> str:
        completion = self._ask(self.messages, tools=False)
        if not completion.text:
            after = f" after {self.rounds} rounds of calls" if self.rounds else ""
            raise ChatError(
                f"the model returned neither text nor a tool call{after}",
                code="TM519",
                hint="ask again, or try another model",
            )
        return self._end(completion)

    def _end(self, completion: Completion) -> str:
        if completion.is_cut:
            self.sink(Noted("the answer was cut off by max_tokens"))
        self._add(replace(completion, calls=()).to_message())
        return completion.text

    def _by_plan(self) -> str:
        """Serve a model without tool calls: one plan, one run, one answer."""
        self.protocol = "json-plan"
        request = plan_request(flattened(self.messages), self.definitions)
        completion = self._ask(request, tools=False, is_hidden=True)
        plan = read_plan(completion)
        if plan.call is None:
            self._show(plan.reply)
            return self._end(Completion(plan.reply, usage=completion.usage))
        self._run(Completion("", (plan.call,)))
        closing = self._ask(flattened(self.messages), tools=False)
        if not closing.text:
            raise ChatError("the model returned no text after its plan was run", code="TM519")
        return self._end(closing)

    def _show(self, text: str) -> None:
        self.sink(TextShown(text))
        self.sink(TextEnded(is_answer=True))

    def _ask(self, messages: list[Message], *, tools: bool, is_hidden: bool = False) -> Completion:
        """Send one request and return its answer; what may be a call is not shown as text."""
        request = {**self.settings, "messages": messages}
        if tools:
            request["tools"] = self.definitions
        names = self._names()
        held = HeldText(self._on_text, is_active=bool(names))
        completion = self.model.complete(request, (lambda _: None) if is_hidden else held.feed)
        self._count(completion.usage)
        completion = completion if is_hidden else with_text_calls(completion, names)
        if not is_hidden:
            held.end(completion.text)
            if held.shown:
                self.sink(TextEnded(is_answer=not (tools and completion.calls)))
        return completion

    def _on_text(self, text: str) -> None:
        self.shown += text
        self.sink(TextShown(text))

    def _names(self) -> set[str]:
        return {definition["function"]["name"] for definition in self.definitions}

    def _count(self, usage: Mapping[str, int]) -> None:
        for key, number in usage.items():
            self.usage[key] = self.usage.get(key, 0) + number

    def _add(self, message: Message) -> None:
        self.messages.append(message)
        self.keep(message)
