// The style sheet of an exported transcript: light and dark, on a screen and on paper.

export const TRANSCRIPT_STYLE = `
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fff; --faint: #5b6573; --line: #dde2e8; --code: #f4f6f8;
  --user: #eef4ff; --add: #e2f6e6; --remove: #fdeaea; --bad: #b3261e; --link: #1f5fbf }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ee; --paper: #14181e; --faint: #98a3b1; --line: #2c333d; --code: #1c222a;
    --user: #1b2736; --add: #163322; --remove: #3b1d1d; --bad: #ff8a80; --link: #8ab4f8 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif }
main { max-width: 52rem; margin: 0 auto; padding: 1.5rem 1rem 4rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere }
h2 { font-size: .8rem; font-weight: 600; margin: 0 0 .25rem; color: var(--faint) }
header p, time, small, .status p { color: var(--faint); font-size: .8rem }
header { border-bottom: 1px solid var(--line); margin-bottom: 1rem }
section { position: relative; margin: 1rem 0; unicode-bidi: isolate }
time { float: right; margin-left: 1rem }
p { margin: .25rem 0; overflow-wrap: anywhere }
.user { background: var(--user); border-radius: .5rem; padding: .75rem 1rem }
.text { white-space: pre-wrap; overflow-wrap: anywhere }
.reasoning, .notice { color: var(--faint) }
.reasoning summary { font-size: .8rem }
.error h2, .error .text { color: var(--bad) }
.status { border-bottom: 1px solid var(--line) }
pre, code { font: .85rem/1.5 ui-monospace, monospace }
pre, .block { background: var(--code); border: 1px solid var(--line); border-radius: .375rem; padding: .5rem .75rem;
  margin: .25rem 0; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate }
.block { display: block }
.name { font-weight: 600 }
figure { margin: .5rem 0 }
figcaption { font: .85rem ui-monospace, monospace; color: var(--faint) }
.diff ins, .diff del { display: block; text-decoration: none; margin: 0 -.75rem; padding: 0 .75rem }
.diff ins { background: var(--add) }
.diff del { background: var(--remove) }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: .375rem }
a { color: var(--link) }
@media print {
  main { max-width: none; padding: 0 }
  pre, .user, img, li { break-inside: avoid-page }
  h2 { break-after: avoid }
}
`
