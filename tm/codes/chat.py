"""TM4xx: assistants, prompts and scheduled tasks."""

from __future__ import annotations

from typing import Final

from tm.codes.page import Page

PAGES: Final = (
    Page(
        code="TM401",
        name="tool-in-no-assistant",
        title="A tool that no assistant lists",
        severity="warning",
        what="The tenant has assistants, and none of them names this tool under `tools`.",
        why="No model ever sees the tool. Often it was forgotten when it was written.",
        fix=(
            "Add it to an assistant, or delete it. If only other tools or tasks call it, say so "
            "in a suppression."
        ),
        bad="""
assistants:
  desk: {system_prompt: You help customers., model: gpt-5-mini, tools: [getOrder]}
tools:
  getOrder: {description: Fetch an order., api: erp, method: GET, path: /orders}
  getReturn: {description: Fetch a return., api: erp, method: GET, path: /returns}
""",
        good="""
assistants:
  desk: {system_prompt: You help customers., model: gpt-5-mini, tools: [getOrder, getReturn]}
tools:
  getOrder: {description: Fetch an order., api: erp, method: GET, path: /orders}
  getReturn: {description: Fetch a return., api: erp, method: GET, path: /returns}
""",
    ),
    Page(
        code="TM402",
        name="unknown-reference",
        title="An assistant or task names an unknown tool or assistant",
        what=(
            "The name is no tool of this tenant and no shared one, or no assistant. The finding "
            "names the nearest."
        ),
        why="The assistant would start without the tool, and the task could not run.",
        fix="Correct the name.",
        bad="""
assistants:
  desk: {system_prompt: You help customers., model: gpt-5-mini, tools: [getOrders]}
tools:
  getOrder: {description: Fetch an order., api: erp, method: GET, path: /orders}
""",
        good="""
assistants:
  desk: {system_prompt: You help customers., model: gpt-5-mini, tools: [getOrder]}
tools:
  getOrder: {description: Fetch an order., api: erp, method: GET, path: /orders}
""",
    ),
    Page(
        code="TM403",
        name="unknown-placeholder",
        title="An unknown {{...}} in a prompt",
        what=(
            "Known are date, time, datetime, weekday, tenant, assistant, user_id, chat_id, tools, "
            "session.KEY and, for what settings.vars declares, vars.KEY."
        ),
        why="The chat stops with TM523 at its first message.",
        fix=(
            "Correct the name. What the chat itself knows is session.KEY; what is the same for "
            "the whole tenant goes under settings.vars."
        ),
        bad="""
assistants:
  desk: {system_prompt: "Greet {{customer_name}}.", model: gpt-5-mini, tools: []}
""",
        good="""
assistants:
  desk: {system_prompt: "Greet {{session.customer_name}}.", model: gpt-5-mini, tools: []}
""",
    ),
    Page(
        code="TM404",
        name="pdf-outside-arguments",
        title="<PDF:...> outside arguments",
        what=(
            "The placeholders <PDF:key> and <PDF_CONTENT_AVAILABLE> stand in a prompt, a message "
            "of a task, or a constant."
        ),
        why=(
            "They are replaced in a tool's arguments only; here the model would read the bare "
            "placeholder."
        ),
        fix=(
            "Let the model pass the placeholder as an argument of a tool, and tell it so in the "
            "tool's description."
        ),
        bad="""
assistants:
  papers: {system_prompt: "Use this text: <PDF:pdf-9f2a>", model: gpt-5-mini, tools: []}
""",
        good="""
assistants:
  papers: {system_prompt: Check papers with checkPaper., model: gpt-5-mini, tools: [checkPaper]}
tools:
  checkPaper:
    description: Check a paper. Pass <PDF_CONTENT_AVAILABLE> as text for the uploaded one.
""",
    ),
    Page(
        code="TM405",
        name="bad-schedule",
        title="A cron expression or timezone that does not parse",
        what=(
            "`cron` needs five fields (minute, hour, day of month, month, day of week) in their "
            "bounds, `timezone` a name such as Europe/Berlin."
        ),
        why="The task would never be due, or at another hour than meant.",
        fix="Correct the field that the finding names: minutes are 0 to 59, hours 0 to 23.",
        bad="""
scheduled:
  morning: {cron: "61 6 * * 1-5", timezone: Berlin, tool: getOrder}
""",
        good="""
scheduled:
  morning: {cron: "0 6 * * 1-5", timezone: Europe/Berlin, tool: getOrder}
""",
    ),
    Page(
        code="TM406",
        name="token-budget",
        title="An assistant's tools cost more tokens than the budget",
        severity="warning",
        what=(
            "Names, descriptions and schemas of the assistant's tools together are above "
            "settings.token_budget. The finding names the largest; `tm show NAME --for openai` "
            "gives the size of one."
        ),
        why=(
            "They are sent with every message: they cost money each time and leave less room for "
            "the conversation."
        ),
        fix="Shorten descriptions, split the assistant, or raise the budget on purpose.",
        bad="""
settings: {token_budget: 400}
assistants:
  desk:
    system_prompt: You help customers.
    model: gpt-5-mini
    tools: [getOrder, getReturn, getInvoice, findCustomer, getStock, getPrices, findArticle]
""",
        good="""
settings: {token_budget: 400}
assistants:
  desk: {system_prompt: You help with orders., model: gpt-5-mini, tools: [getOrder, getReturn]}
  stock: {system_prompt: You know the stock., model: gpt-5-mini, tools: [getStock]}
""",
    ),
)
