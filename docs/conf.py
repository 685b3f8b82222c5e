"""The site: `nox -s docs` builds it into build/site (CONTRIBUTING.md, "The site")."""

from __future__ import annotations

import inspect
import os
import re
import shutil
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import download_reference
from sphinx.application import Sphinx
from sphinx.ext.autodoc import mock

DOCS = Path(__file__).parent
ARRAY = re.compile(r"(?:numpy\.)?ndarray\[tuple\[Any, \.\.\.\], (?:numpy\.)?dtype\[(?:numpy\.)?(\w+)\]\]")
sys.path.insert(0, str(DOCS.parent))

import parlour  # noqa: E402
from docs.builder.check_site import PUBLIC  # noqa: E402
from docs.builder.game_pages import write_game_pages  # noqa: E402
from docs.builder.links import ROOT, home, site_links  # noqa: E402
from docs.builder.project_pages import write_project_pages  # noqa: E402

project = "Parlour"
author = "The Parlour developers"
project_copyright = author
version = release = parlour.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.linkcode",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "sphinx_design",
]
exclude_patterns = ["builder", "pictures"]
templates_path = ["_templates"]

html_theme = "furo"
html_title = f"Parlour {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["versions.js"]
html_favicon = html_logo = "_static/logo.svg"
html_show_sphinx = False
nb_execution_mode = os.environ.get("PARLOUR_DOCS_NOTEBOOKS", "force")
"""``off`` builds the site without running the tutorials."""
html_theme_options = {
    "source_repository": home().partition("/blob/")[0],
    "source_branch": "main",
    "source_directory": "docs/",
    "light_css_variables": {"color-brand-primary": "#1f6b4a", "color-brand-content": "#1f6b4a"},
    "dark_css_variables": {"color-brand-primary": "#7cc7a2", "color-brand-content": "#7cc7a2"},
}
if nb_execution_mode == "off":
    html_theme_options["announcement"] = "This site was built without running the tutorials: they show no results."
html_sidebars = {
    "**": [
        "sidebar/brand.html", "versions.html", "sidebar/search.html", "sidebar/scroll-start.html",
        "sidebar/navigation.html", "sidebar/scroll-end.html",
    ]
}  # fmt: skip

myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 4
suppress_warnings = ["ref.python", *(["myst-nb.lexer"] if nb_execution_mode == "off" else [])]
"""``ref.python``: a word between backquotes that several classes have as a name, such as ``games``."""
nb_execution_raise_on_error = True
nb_execution_timeout = 900
nb_merge_streams = True

default_role = "py:obj"
"""Docstrings name what they mean between single backquotes."""
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
toc_object_entries_show_parents = "hide"

autodoc_mock_imports = [name for name in ("onnxruntime", "stable_baselines3", "torch") if find_spec(name) is None]
"""The reference needs none of these; only tutorials that are run do."""
with mock(autodoc_mock_imports):
    for package in PUBLIC:
        module = import_module(package)
        for name in module.__all__:  # some are imported when first asked for, so that autodoc must ask
            setattr(module, name, getattr(module, name))


def linkcode_resolve(domain: str, info: dict[str, str]) -> str | None:
    """The address of the lines that define an object."""
    found: Any = import_module(info["module"])
    for name in info["fullname"].split("."):
        found = getattr(found, name, None)
    found = inspect.unwrap(getattr(found, "py_func", found)) if found is not None else None
    found = found.fget if isinstance(found, property) else found
    try:
        lines, first = inspect.getsourcelines(found)  # type: ignore[arg-type]
        file = Path(inspect.getsourcefile(found)).resolve().relative_to(ROOT)  # type: ignore[arg-type]
    except (TypeError, OSError, ValueError):
        return None  # a constant, or what another library defines
    return f"{home()}/{file.as_posix()}#L{first}-L{first + len(lines) - 1}"


def keep_colons(app: Sphinx, what: str, name: str, found: Any, options: Any, lines: list[str]) -> None:
    """Keeps napoleon from reading what stands before a colon in the docstring of a constant or field as its type."""
    if what in ("attribute", "data", "property"):
        lines[:0] = ["..", ""]  # an empty comment, which napoleon takes for all of it


def shorten_arrays(
    app: Sphinx, what: str, name: str, found: Any, options: Any, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Writes the types of arrays as the code does: ``NDArray[int8]``."""
    short = [text and ARRAY.sub(r"NDArray[\1]", text) for text in (signature, returned)]
    return short[0], short[1]


def write_pages(app: Sphinx) -> None:
    """Writes the pages that are made from code and from other files."""
    write_game_pages(DOCS)
    write_project_pages(DOCS)


def rewrite_links(app: Sphinx, page: str, source: list[str]) -> None:
    """Makes links to files of the repository links of the site."""
    folder = f"docs/{page}".rpartition("/")[0]
    source[0] = site_links(source[0], folder, f"docs/{page}.md")


def open_reports(app: Sphinx, doctree: nodes.document) -> None:
    """Links to reports of comparisons and to replays open them, where Sphinx would offer them as downloads."""
    for node in list(doctree.findall(download_reference)):
        target = str(node["reftarget"])
        if target.endswith(".html"):
            node.replace_self(nodes.reference("", "", *node.children, internal=True, refuri=target))


def copy_reports(app: Sphinx, error: Exception | None) -> None:
    """Copies reports and replays, with what belongs to them, beside the pages that link to them."""
    if error is None and app.builder.name == "html":
        for folder in ("compare", "atlas", "games", "endings"):
            kept = shutil.ignore_patterns("*.md", *(("*.svg", "*.gif") if folder == "games" else ()))
            shutil.copytree(DOCS / folder, Path(app.outdir) / folder, dirs_exist_ok=True, ignore=kept)


def setup(app: Sphinx) -> None:
    """Connects what is above."""
    app.connect("autodoc-process-docstring", keep_colons, priority=400)  # before napoleon
    app.connect("autodoc-process-signature", shorten_arrays)
    app.connect("builder-inited", write_pages)
    app.connect("source-read", rewrite_links)
    app.connect("doctree-read", open_reports)
    app.connect("build-finished", copy_reports)
