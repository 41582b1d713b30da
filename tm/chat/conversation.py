"""A chat as programs use it: one assistant of one tenant, asked question by question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Self

from tm.chat.events import ChatSink, Confirm, Noted
from tm.chat.loop import MAX_ROUNDS, Choice, Question
from tm.chat.prompt import PromptFacts, fill_prompt
from tm.chat.provider import read_provider
from tm.chat.runs import ToolRuns
from tm.chat.transcript import Transcript, masked_error, transcript_of
from tm.errors import ConfigError, TmError, UsageError
from tm.model import Assistant, Tool
from tm.records import replace
from tm.redact import Redactor
from tm.runner.scope import RunOptions
from tm.runner.workspace import Workspace
from tm.schema.function_tool import exported_names, function_tool

if TYPE_CHECKING:
    from tm.chat.model import Model
    from tm.chat.provider import Provider
    from tm.store.chats import Chats
    from tm.store.tables import Tables

MAX_RESULT_CHARS: Final = 50_000


class Chat:
    """A conversation with an assistant. Not to be shared between threads.

    Args:
        workspace: runs the tools; stays open when the chat is closed.
        tenant: code.
        assistant: name.
        options: of the tool runs; its `chat_id` continues a chat, None begins a new one.
        choice: the protocol.
        model: answers instead of the provider, such as a script; None: the provider.
        confirm: asked before each call that writes; None: nobody is asked.
        sink: told what happens as it happens.
    """

    def __init__(  # noqa: PLR0913  each is something that an embedding program may set
        self,
        workspace: Workspace,
        tenant: str,
        assistant: str,
        *,
        options: RunOptions | None = None,
        choice: Choice = "auto",
        model: Model | None = None,
        confirm: Confirm | None = None,
        sink: ChatSink = lambda _: None,
    ) -> None:
        given = options or RunOptions()
        self.chat_id = given.chat_id or fresh_chat_id()
        self.tenant = tenant
        self.assistant = assistant
        self._workspace = workspace
        self._options = _with_chat(given, self.chat_id, assistant)
        self._is_new = given.chat_id is None
        self._choice = choice
        self._given_model = model
        self._confirm = confirm
        self._sink = sink
        self._server: tuple[Provider, Model] | None = None
        self._tables: Tables | None = None
        self._takes_no_tools = False

    def __enter__(self) -> Self:
        """Return the chat itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the chat."""
        self.close()

    def close(self) -> None:
        """Close the connection to the model and the database."""
        if self._server is not None:
            self._server[1].close()
            self._server = None
        if self._tables is not None:
            self._tables.close()
            self._tables = None

    def tools(self) -> dict[str, Tool]:
        """Return the assistant's tools by the names that the model sees; broken ones are told.

        Raises:
            UsageError: TM524, no such assistant.
            ConfigError: its declaration is wrong, or two tools have one exported name (TM115).
        """
        return self._tools(self._declared())

    def ask(self, text: str) -> Transcript:
        """Ask one question and return the answer with everything that led to it.

        Raises:
            UsageError: TM524, no such assistant.
            ConfigError: the assistant or its provider is not complete.
            ToolError: TM503, a variable of the provider is not set.
            ChatError: TM519, the model's server; TM523, the prompt.
        """
        redactor = self._workspace.redactor(self.tenant)
        try:
            return self._ask(text, redactor)
        except TmError as error:
            raise masked_error(error, redactor) from error

    def _ask(self, text: str, redactor: Redactor) -> Transcript:
        declared = self._declared()
        tools = self._tools(declared)
        chats = self._chats()
        session = chats.session(self.tenant, self.chat_id) if chats else {}
        prompt = self._prompt(declared, tools, session)
        model = self._model(declared)
        history = chats.history(self.tenant, self.chat_id) if chats else []
        number = chats.begin_question(self.tenant, self.chat_id, self.assistant) if chats else 0

        def keep(message: dict[str, Any]) -> None:
            if chats:
                chats.keep(self.tenant, self.chat_id, number, redactor.json(message))

        asked = {"role": "user", "content": text}
        keep(asked)
        runs = self._runs(declared, tools, session)
        question = Question(
            model=model,
            runs=runs,
            messages=[*prompt, *history, asked],
            definitions=[function_tool(tool) for tool in tools.values()],
            settings=_request_settings(declared),
            sink=self._sink,
            keep=keep,
            max_rounds=_whole(declared, "max_tool_rounds", MAX_ROUNDS),
            choice="json-plan" if self._takes_no_tools else self._choice,
        )
        answer = self._answered(question, keep, session, chats)
        self._takes_no_tools = self._choice == "auto" and question.protocol == "json-plan"
        return transcript_of(answer, question, redactor)

    def _answered(
        self, question: Question, keep: Any, session: dict[str, Any], chats: Chats | None
    ) -> str:
        try:
            return question.answer()
        except KeyboardInterrupt:
            if question.shown.strip():
                keep({"role": "assistant", "content": question.shown})
            raise
        finally:
            if chats:
                chats.keep_session(self.tenant, self.chat_id, session)

    def _declared(self) -> Assistant:
        return self._workspace.catalog.find_assistant(self.tenant, self.assistant)

    def _tools(self, declared: Assistant) -> dict[str, Tool]:
        names = list(dict.fromkeys(declared.tools))
        by_exported = exported_names(names)
        found: dict[str, Tool] = {}
        for exported, name in by_exported.items():
            try:
                found[exported] = self._workspace.catalog.find_tool(self.tenant, name, fresh=False)
            except (UsageError, ConfigError) as error:
                self._sink(Noted(f"tool '{name}' is missing: {error}"))
        return found

    def _prompt(
        self, declared: Assistant, tools: Mapping[str, Tool], session: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        prompt = declared.declared.get("system_prompt")
        if not isinstance(prompt, str) or not prompt:
            return []
        facts = PromptFacts(
            now=self._workspace.clock.now(),
            tenant=self.tenant,
            assistant=self.assistant,
            user_id=self._options.user_id,
            chat_id=self.chat_id,
            session=session,
            settings=self._workspace.catalog.settings(self.tenant),
            tools=tuple(tools.values()),
        )
        return [{"role": "system", "content": fill_prompt(prompt, facts, declared.at)}]

    def _runs(
        self, declared: Assistant, tools: Mapping[str, Tool], session: dict[str, Any]
    ) -> ToolRuns:
        return ToolRuns(
            workspace=self._workspace,
            tenant=self.tenant,
            tools=tools,
            options=self._options,
            session=session,
            sink=self._sink,
            longest=_whole(declared, "max_result_chars", MAX_RESULT_CHARS),
            confirm=self._confirm,
        )

    def _model(self, declared: Assistant) -> Model:
        """Return what answers: the script, or the provider's server, kept while it is the same."""
        if self._given_model is not None:
            return self._given_model
        catalog, name = self._workspace.catalog, declared.declared.get("provider")
        if not isinstance(declared.declared.get("model"), str):
            raise ConfigError(
                f"assistant '{declared.name}' names no model",
                code="TM519",
                hint="add `model:` with the name that its provider knows",
                at=declared.at,
            )
        provider = read_provider(
            catalog.settings(self.tenant).get("providers") or {},
            name,
            assistant=declared.name,
            at=declared.at,
            place=catalog.setting_at(self.tenant, "providers", str(name)),
            expand=catalog.secrets(self.tenant).expand,
        )
        if self._server is None or self._server[0] != provider:
            from tm.chat.server import ModelServer  # noqa: PLC0415  a script needs no httpx

            if self._server is not None:
                self._server[1].close()
            told = self._sink
            self._server = (provider, ModelServer(provider, told=lambda text: told(Noted(text))))
        return self._server[1]

    def _chats(self) -> Chats | None:
        """Return where the chat is kept; None where a new chat's messages can't be."""
        from tm.store.chats import Chats  # noqa: PLC0415  the list of tools needs no database
        from tm.store.tables import open_tables  # noqa: PLC0415  as above

        workspace = self._workspace
        try:
            self._tables = self._tables or open_tables(
                workspace.root, workspace.environ, now=workspace.clock.now
            )
        except UsageError as error:
            if not self._is_new:
                raise
            self._sink(Noted(f"the messages of this chat are not kept: {error.message}"))
            return None
        return Chats(self._tables, clock=workspace.clock.now)


def fresh_chat_id() -> str:
    """Return an id for a new chat: `c-` and eight hex digits."""
    from secrets import token_hex  # noqa: PLC0415  a continued chat has its id

    return f"c-{token_hex(4)}"


def _with_chat(options: RunOptions, chat_id: str, assistant: str) -> RunOptions:
    entry_type = "chat" if options.entry_type == "cli" else options.entry_type
    return replace(options, chat_id=chat_id, assistant=assistant, entry_type=entry_type)


def _request_settings(declared: Assistant) -> dict[str, Any]:
    keys = ("model", "temperature", "max_tokens")
    return {key: declared.declared[key] for key in keys if key in declared.declared}


def _whole(declared: Assistant, key: str, default: int) -> int:
    value = declared.declared.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else default
