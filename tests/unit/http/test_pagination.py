import pytest

from tm.errors import ToolError
from tm.http.messages import ApiRequest, Response
from tm.http.pagination import Page, gather, next_link
from tm.model import Pagination

URL = "https://e.example/list"


def run(pagination, pages, request=None, follow=None):
    """Gather these bodies; returns the joined list, the requests and the warnings."""
    asked, lines = [], []

    def send(wanted, link):
        asked.append(link or dict(wanted.query))
        page = pages(asked[-1]) if callable(pages) else pages[min(len(asked), len(pages)) - 1]
        body, headers = page if isinstance(page, tuple) else (page, {})
        return Page(Response(200, headers, b"", body, URL), link or URL)

    response = gather(
        request or ApiRequest("GET", "/list", query={"q": "x"}), pagination,
        send=send, follow=follow or (lambda url, link: link), warn=lines.append,
    )  # fmt: skip
    return response.body, asked, lines


def test_page_numbers_count_until_an_empty_page():
    pagination = Pagination("page", param="p", start=0)
    body, asked, lines = run(pagination, [[1, 2], [3], []])
    assert body == [1, 2, 3]
    assert asked == [{"q": "x", "p": 0}, {"q": "x", "p": 1}, {"q": "x", "p": 2}]
    assert lines == []


@pytest.mark.parametrize(("limit", "offsets"), [(2, [0, 2, 4]), (None, [0, 2, 3])])
def test_offsets_grow_by_the_limit_or_by_what_came(limit, offsets):
    pagination = Pagination("offset", param="off", limit_param="n", limit=limit)
    body, asked, _ = run(pagination, [[1, 2], [3], []])
    assert body == [1, 2, 3]
    assert [query["off"] for query in asked] == offsets
    assert all(query.get("n") == limit for query in asked)


def test_cursor_is_followed_until_there_is_none():
    pagination = Pagination("cursor", param="after", items="data", next="meta.next")
    pages = [
        {"data": [1], "meta": {"next": "c1"}},
        {"data": [2], "meta": {"next": 7}},
        {"data": [3]},
    ]
    body, asked, lines = run(pagination, pages)
    assert body == [1, 2, 3]
    assert asked == [{"q": "x"}, {"q": "x", "after": "c1"}, {"q": "x", "after": 7}]
    assert lines == []


@pytest.mark.parametrize("end", [None, "", False])
def test_empty_cursor_is_the_end(end):
    pagination = Pagination("cursor", param="after", items="d", next="n")
    assert run(pagination, [{"d": [1], "n": end}])[0] == [1]


def test_circle_of_cursors_is_left():
    def page(query):
        number = int(query.get("after", "c0")[1:])
        return {"d": [number], "n": f"c{number % 7 + 1}"}

    pagination = Pagination("cursor", param="after", items="d", next="n", max_pages=100)
    body, asked, lines = run(pagination, page)
    assert len(asked) == 8
    assert "fetched before" in lines[0]
    assert body == [0, 1, 2, 3, 4, 5, 6, 7]


def test_cursor_that_is_none_is_an_error():
    pagination = Pagination("cursor", items="d", next="n")
    with pytest.raises(ToolError) as caught:
        run(pagination, [{"d": [1], "n": {"a": 1}}])
    assert caught.value.code == "TM508"


def test_cursor_without_a_path_reads_one_page():
    assert run(Pagination("cursor"), [[1]])[0] == [1]


def test_links_of_the_header_are_followed():
    pages = [([1], {"link": f'<{URL}?p=2>; rel="next"'}), ([2], {})]
    body, asked, _ = run(Pagination("link"), pages)
    assert body == [1, 2]
    assert asked == [{"q": "x"}, f"{URL}?p=2"]


def test_links_of_the_body_are_followed():
    pages = [{"value": [1], "@odata.nextLink": "u2"}, {"value": [2], "@odata.nextLink": " "}]
    pagination = Pagination("link", items="value", next='"@odata.nextLink"')
    assert run(pagination, pages)[0] == [1, 2]


def test_link_that_was_fetched_is_not_fetched_again():
    body, asked, lines = run(Pagination("link", items="v", next="n"), [{"v": [1], "n": URL}])
    assert (body, len(asked)) == ([1], 1)
    assert "fetched before" in lines[0]


def test_link_to_another_origin_is_left():
    pagination = Pagination("link", items="v", next="n")
    body, asked, lines = run(pagination, [{"v": [1], "n": "x"}], follow=lambda *_: None)
    assert (body, len(asked)) == ([1], 1)
    assert "another origin" in lines[0]


def test_most_pages_end_with_a_warning():
    body, asked, lines = run(Pagination("page", max_pages=2), [[1]])
    assert (body, len(asked)) == ([1, 1], 2)
    assert "max_pages" in lines[0]


def test_last_allowed_page_that_is_the_end_gives_no_warning():
    assert run(Pagination("link", max_pages=1), [[1]])[2] == []


@pytest.mark.parametrize("body", [{"error": "x"}, "text", 5])
def test_answer_without_a_list_is_taken_as_it_is(body):
    found, _, lines = run(Pagination("page"), [body])
    assert found == body
    assert "is no list" in lines[0]


def test_later_page_without_a_list_is_left_out():
    body, _, lines = run(Pagination("page"), [[1], {"error": "x"}])
    assert body == [1]
    assert "left out" in lines[0]


@pytest.mark.parametrize("empty", [{}, None, []])
def test_no_content_is_an_empty_page(empty):
    assert run(Pagination("page", items="data"), [{"data": [1]}, empty])[0] == [1]
    assert run(Pagination("page"), [[1], empty])[0] == [1]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ('<a>; rel="prev", <b?x=1,2>; rel="next", <c>; rel="last"', "b?x=1,2"),
        ("<b>; rel=next", "b"),
        ('<b>; title="a, b"; REL="last next"', "b"),
        ('<a>; rel="nextish"', None),
        ('<a>; title="rel=next"', None),
        ("", None),
    ],
)
def test_next_link_is_found_by_its_relation(header, expected):
    assert next_link(Response(200, {"link": header}, b"", [], URL)) == expected
