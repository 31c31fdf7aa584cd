// The style of the documentation page, served as /api/docs.css: the security policy allows no style inside of pages.

export const DOCS_STYLE = `:root {
  color-scheme: light dark;
  --page: #fff; --text: #1c2024; --soft: #60646c; --line: #e0e3e8; --panel: #f6f7f9; --link: #0b62c4;
  --get: #0b62c4; --post: #18794e; --put: #8f5a00; --patch: #8f5a00; --delete: #c62a2f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #111315; --text: #edeef0; --soft: #a1a7b0; --line: #2b2f34; --panel: #1a1d20; --link: #70b8ff;
    --get: #70b8ff; --post: #3dd68c; --put: #ffca16; --patch: #ffca16; --delete: #ff9592;
  }
}
* { box-sizing: border-box }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100% }
body {
  margin: 0; display: grid; grid-template-columns: 19rem minmax(0, 1fr);
  background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif;
}
a { color: var(--link); text-decoration: none }
a:hover, a:focus-visible { text-decoration: underline }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px }
code, pre, .type, .limit, .media, .method { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace }
code { font-size: .875em }
p code, li > code:not(.name) { background: var(--panel); padding: .1em .3em; border-radius: 4px }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .75rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: 1rem 0 }

nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem 1rem; border-right: 1px solid var(--line); background: var(--panel); font-size: .875rem }
nav ul { list-style: none; margin: 0; padding: 0 }
nav ul ul { margin: .25rem 0 1rem }
nav a { display: block; padding: .2rem .4rem; border-radius: 5px; color: var(--text) }
nav a:hover { background: var(--line); text-decoration: none }
nav ul ul a { color: var(--soft); display: grid; grid-template-columns: 3.25rem minmax(0, 1fr); align-items: baseline; line-height: 1.35 }
nav > ul > li > a { font-weight: 600 }
nav .method { font-size: .6875rem }
nav code { background: none; padding: 0 }

main { max-width: 54rem; width: 100%; margin: 0 auto; padding: 2rem 2rem 6rem }
h1 { font-size: 1.875rem; line-height: 1.2; margin: 0 0 1rem }
h1 small { font-size: 1rem; font-weight: 400; color: var(--soft) }
h2 { font-size: 1.375rem; margin: 3.5rem 0 .25rem }
h3 { font-size: 1rem; margin: 0 0 .5rem; overflow-wrap: anywhere }
h3 a { color: var(--text) }
h3 code { font-size: .9375rem }
h4 { font-size: .75rem; text-transform: uppercase; letter-spacing: .05em; color: var(--soft); margin: 1.25rem 0 .375rem }
h2 + p { margin-top: 0; color: var(--soft) }
p { margin: .5rem 0; overflow-wrap: anywhere }
article { border: 1px solid var(--line); border-radius: 10px; padding: 1.125rem 1.25rem; margin: 1rem 0 }
article:target { border-color: var(--link); box-shadow: 0 0 0 1px var(--link) }
.summary { font-weight: 600; margin-top: 0 }

.method { text-transform: uppercase; font-weight: 700; font-size: .8125rem; color: var(--soft) }
.method.get { color: var(--get) } .method.post { color: var(--post) } .method.put { color: var(--put) }
.method.patch { color: var(--patch) } .method.delete { color: var(--delete) }

ul.fields, ul.answers, ul.kinds { list-style: none; margin: 0; padding: 0 }
ul.fields > li, ul.answers > li { padding: .4rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere }
ul.fields > li:first-child, ul.answers > li:first-child { border-top: 0 }
ul.fields ul.fields, ul.fields ul.kinds { margin: .25rem 0 0; padding-left: 1rem; border-left: 2px solid var(--line) }
ul.kinds { display: flex; flex-wrap: wrap; gap: .25rem 1rem }
ul.kinds > li:has(ul) { flex-basis: 100% }
.name { font-weight: 600 }
.type { font-size: .875rem; color: var(--text); margin-left: .5rem }
.schema > p.type { margin-left: 0 }
.optional, .limit { font-size: .8125rem; color: var(--soft); margin-left: .5rem }
.limit { overflow-wrap: anywhere }
li > p { margin: .125rem 0 0; font-size: .9375rem; color: var(--soft) }
.status { display: inline-block; min-width: 2.5rem; font-weight: 600; font-variant-numeric: tabular-nums }
.media { font-size: .8125rem; color: var(--soft) }
.errors { margin-top: 1rem }
summary { cursor: pointer; color: var(--soft); font-size: .875rem; padding: .25rem 0 }
.errors li { font-size: .9375rem }

@media (max-width: 60rem) {
  body { display: block }
  nav { position: static; height: 40vh; border-right: 0; border-bottom: 1px solid var(--line) }
  nav a { padding-top: .5rem; padding-bottom: .5rem }
  main { padding: 1.25rem 1rem 4rem }
  article { padding: .875rem 1rem }
}
@media print { nav { display: none } body { display: block } }
`
