import { expect, test } from 'vitest'
import { redact, Redactor, redactValue, secretsOf } from './redact.js'

// Concatenated here, so that no secret scanner reports this file.
const HEX = '0123456789abcdef0123456789abcdef'
const MIXED = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5hI7'
const PEM = (kind: string) =>
  `-----BEGIN ${kind}PRIVATE KEY-----\nMIIEow${MIXED}\n${MIXED}\n-----END ${kind}PRIVATE KEY-----`

/** A text with its secret: by form. */
const BY_FORM: readonly [string, string][] = [
  `sk-${MIXED}`,
  `sk-ant-api03-${MIXED}`,
  `sk-proj-${MIXED}`,
  `sk-or-v1-${HEX}`,
  `AIza${MIXED.slice(0, 35)}`,
  `ghp_${MIXED.slice(0, 36)}`,
  `gho_${MIXED.slice(0, 36)}`,
  `github_pat_11ABC_${MIXED}`,
  `xoxb-123456789012-${MIXED}`,
  `xoxp-123456789012-${MIXED}`,
  'AKIAIOSFODNN7EXAMPLE',
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${MIXED}`,
  `npm_${MIXED.slice(0, 36)}`,
  `hf_${MIXED.slice(0, 34)}`,
  `gsk_${MIXED}${MIXED}`,
  `glpat-${MIXED.slice(0, 20)}`,
  `sk_live_${MIXED.slice(0, 24)}`,
  `ya29.${MIXED}`,
  `GOCSPX-${MIXED.slice(0, 28)}`,
  `AGE-SECRET-KEY-1${MIXED.toUpperCase()}`,
].map((secret) => [`Here it is: ${secret}, use it.`, secret])

const BY_NAME: readonly [string, string][] = [
  ['Authorization: Bearer abcdefghijk', 'abcdefghijk'],
  ['authorization: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  ['curl -H "Authorization: token 99aa88bb" https://x.dev', '99aa88bb'],
  ['x-api-key: 99aa88bb77', '99aa88bb77'],
  ['Cookie: sid=s3ss10n; theme=dark', 's3ss10n'],
  ['Set-Cookie: quayside=v4lue; HttpOnly', 'v4lue'],
  ['fetch sent Bearer Zm9vYmFyYmF6MTIz', 'Zm9vYmFyYmF6MTIz'],
  ['OPENAI_API_KEY=plainvalue', 'plainvalue'],
  ['export GITHUB_TOKEN="quoted value"', 'quoted value'],
  ["DB_PASSWORD='it is me'", 'it is me'],
  ['PGPASSWORD=swordfish psql', 'swordfish'],
  ['AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG+bPxRfiCY', 'wJalrXUtnFEMI/K7MDENG+bPxRfiCY'],
  ['MAPS_KEY=abc(def)ghi', 'abc(def)ghi'],
  ['{"apiKey":"abc","x":1}', 'abc'],
  ['{"client_secret" : "a \\" b"}', 'a \\" b'],
  ['{\\"refresh_token\\":\\"1//abc\\",\\"x\\":1}', '1//abc'],
  ['{\\\\\\"password\\\\\\":\\\\\\"p4ss w0rd\\\\\\"}', 'p4ss w0rd'],
  ['{"accessToken":"cut off in the mid', 'cut off in the mid'],
  ["const apiKey = 'abcdefghijkl'", 'abcdefghijkl'],
  ['password: hunter2', 'hunter2'],
  ['login failed, password=swordfish', 'swordfish'],
  ['https://x.dev/cb?access_token=abcdefghij&x=1', 'abcdefghij'],
  ['https://x.dev/cb?a=1&api_key=qwertz', 'qwertz'],
  ['postgres://app:s3cr3t@db.internal/app', 's3cr3t'],
  ['git clone https://me:p4ss@github.com/a/b', 'p4ss'],
  ['tool --token abc123def --verbose', 'abc123def'],
  ['tool --api-key=abcdefgh', 'abcdefgh'],
  ['Your API key: 99aa88bb77', '99aa88bb77'],
  ['private_key: MIIEvQIBADANBg9', 'MIIEvQIBADANBg9'],
  [`line\\nsk-${MIXED}\\nline`, MIXED],
  [`\u001B[32msk-${MIXED}\u001B[0m`, MIXED],
  [`state%3Dsk-${MIXED}`, MIXED],
  [PEM('RSA '), MIXED],
  [PEM(''), MIXED],
  [`before ${PEM('OPENSSH ').slice(0, 80)}`, MIXED.slice(0, 20)],
]

test.each([...BY_FORM, ...BY_NAME])('the secret in "%s" is hidden', (text, secret) => {
  expect(text).toContain(secret)
  expect(redact(text)).toContain('[redacted]')
  expect(redact(text)).not.toContain(secret)
})

test.each([...BY_FORM, ...BY_NAME])('also inside of JSON, and JSON inside of JSON: %s', (text) => {
  const [secret = ''] = [...BY_FORM, ...BY_NAME].find(([t]) => t === text)?.slice(1) ?? []
  const inner = JSON.stringify({ output: text })
  for (const nested of [text, inner, JSON.stringify({ output: inner })]) {
    const shown = JSON.stringify(redactValue({ update: { content: [{ text: nested }] } }))
    expect(shown).toContain('[redacted]')
    expect(shown).not.toContain(JSON.stringify(secret).slice(1, -1))
  }
})

test('redacting twice is redacting once', () => {
  for (const [text] of [...BY_FORM, ...BY_NAME]) expect(redact(redact(text))).toBe(redact(text))
})

test.each([
  'commit 8c6f3a1b2d4e5f60718293a4b5c6d7e8f9012345',
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '57eeabbc-343d-403c-a1b4-0e4a8ba08650',
  '/home/user/ws/packages/hub/src/agents/secret-names.ts:12:5',
  'function login(token: string, password?: string): Promise<Token> {',
  'const token = await getToken(user)',
  'if (token === null || secret == undefined) return password',
  'const { apiKey, token } = config',
  'headers: { authorization: `Bearer ${token}` }',
  'apiKey: process.env.OPENAI_API_KEY,',
  'API_KEY=$OPENAI_API_KEY npm start',
  'TOKEN=$(cat /run/token)',
  'api_key = os.environ["OPENAI_API_KEY"]',
  'client = Client(token=token, password=password)',
  'password: z.string().min(8),',
  'this.#token = options.token',
  'token => token.value',
  'const secret = this.#readCookie(headers)',
  'Used 1234 tokens; maxTokens: 4096, total_tokens=52, tokenCount: 7',
  '{"inputTokens":12,"outputTokens":3456789,"token_count":9}',
  '"primary_key": "id", publicKey: "abc", keyboard: "qwerty", foreign_key=user_id',
  'The password is required. Bearer authentication and Basic knowledge help.',
  'Pass the --token flag, or set a secret: see below.',
  'class="sk-folding-cube sk-circle-fade-dot" task-0123456789abcdefghij risk-averse',
  'std::token::Secret, Token::Eof',
  'http://localhost:4444/api/sessions?limit=20&offset=0',
  'PWD=/home/user/ws',
  'pageToken: "abc", progressToken: "p-1"',
  'integrity sha512-Zm9vYmFyYmF6Zm9vYmFyYmF6Zm9vYmFyYmF6Zm9vYmFyYmF6==',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
  'AKIA is a prefix, eyJ too, and ghp_ as well',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  'npm_config_registry=https://packages.example.com/ npm_lifecycle_event=test',
])('an ordinary text stays as it is: %s', (text) => {
  expect(redact(text)).toBe(text)
})

test('keys of objects hide their values, whatever those are', () => {
  const names = ['Authorization', 'api-key', 'api_key', 'apiKey', 'APIKEY', 'token', 'access_token']
  names.push('refreshToken', 'secret', 'Password', 'cookie', 'Set-Cookie', 'X-Api-Key', 'pass')
  names.push('clientSecret', 'private_key', 'passphrase', 'GH_TOKEN', 'MAPS_KEY', '_authToken')
  for (const name of names) {
    expect(redactValue({ a: { [name]: 'open sesame' } })).toEqual({ a: { [name]: '[redacted]' } })
    expect(redactValue({ [name]: ['one', { two: 'x' }] })).toEqual({
      [name]: ['[redacted]', { two: '[redacted]' }],
    })
  }
  expect(redactValue({ password: 12345678 })).toEqual({ password: '[redacted]' })
})

test('lists of names and values, pairs and flags hide theirs', () => {
  const headers = [
    { name: 'X-Api-Key', value: 'open sesame' },
    { name: 'Accept', value: 'text/html' },
  ]
  const args = ['run', '--token', 'open sesame', '--verbose', 'yes']
  const pairs = [
    ['x-api-key', 'open sesame'],
    ['accept', '*/*'],
  ]
  expect(redactValue({ headers, args, pairs })).toEqual({
    headers: [
      { name: 'X-Api-Key', value: '[redacted]' },
      { name: 'Accept', value: 'text/html' },
    ],
    args: ['run', '--token', '[redacted]', '--verbose', 'yes'],
    pairs: [
      ['x-api-key', '[redacted]'],
      ['accept', '*/*'],
    ],
  })
})

test('every value of an environment is hidden, the names stay', () => {
  const server = { command: 'node', env: [{ name: 'HARMLESS', value: 'open sesame' }] }
  expect(redactValue({ mcpServers: [server] })).toEqual({
    mcpServers: [{ command: 'node', env: [{ name: 'HARMLESS', value: '[redacted]' }] }],
  })
  expect(redactValue({ env: { A: 'x', B: '' } })).toEqual({ env: { A: '[redacted]', B: '' } })
  expect(redactValue({ env: ['A=x=y\nz'] })).toEqual({ env: ['A=[redacted]'] })
})

test('what ACP and schemas call token, key or secret without meaning one stays', () => {
  const frame = {
    jsonrpc: '2.0',
    id: 3,
    params: {
      sessionId: '57eeabbc-343d-403c-a1b4-0e4a8ba08650',
      _meta: { progressToken: 'p-1', token: 5, secret: true, password: null },
      usage: { inputTokens: 123456, token_count: 9 },
      authMethods: [{ id: 'api-key', name: 'API key', vars: [{ name: 'X_KEY', secret: true }] }],
      schema: { properties: { token: { type: 'string', description: 'The token to use' } } },
      update: { content: { type: 'text', text: 'Hello', key: 'Enter' } },
    },
  }
  expect(redactValue(frame)).toEqual(frame)
})

test('known secrets are hidden wherever and however they are written', () => {
  const secret = 'corr"ect horse+battery/ä'
  const redactor = new Redactor([secret, 'short', '  ', 'another-known-one'])
  const written = [
    secret,
    JSON.stringify(secret),
    encodeURIComponent(secret),
    new URLSearchParams({ secret }).toString(),
    Buffer.from(secret).toString('base64'),
  ]
  for (const text of written) {
    expect(redactor.redact(`<${text}>`)).not.toMatch(/horse|Y29yc/)
    expect(JSON.stringify(redactor.redactValue({ [text]: [text] }))).not.toMatch(/horse|Y29yc/)
  }
  expect(redactor.redact('a short text')).toBe('a short text')
})

test('the known secrets of an environment are the values of its secret names', () => {
  const env = {
    PATH: '/usr/bin',
    QUAYSIDE_TOKEN: 'one',
    OPENAI_API_KEY: 'two',
    PWD: '/home',
    GOOGLE_APPLICATION_CREDENTIALS: '/home/user/key.json',
    EMPTY_TOKEN: undefined,
    DB_PASS: 'three',
  }
  expect(secretsOf(env)).toEqual(['one', 'two', 'three'])
})

test('a cut text loses a last word that may be the beginning of a secret', () => {
  const redactor = new Redactor(['open sesame now'])
  expect(redactor.trimCut('the key is sk-ant-ap')).toBe('the key is ')
  expect(redactor.trimCut('say: open sesa')).toBe('say: ')
  expect(redactor.trimCut('x'.repeat(600))).toBe('x'.repeat(88))
})

test('deep, cyclic, huge and strange values are no trouble', () => {
  let deep: unknown = 'open sesame'
  for (let i = 0; i < 100_000; i += 1) deep = i % 2 ? [deep] : { a: deep }
  const cyclic: Record<string, unknown> = { token: 'open sesame' }
  cyclic['self'] = [cyclic, cyclic]
  let wide: unknown = 'x'
  for (let i = 0; i < 60; i += 1) wide = [wide, wide]
  const throwing = Object.defineProperty({}, 'a', { enumerable: true, get: () => BigInt('x') })
  const polluting: unknown = JSON.parse('{"__proto__":{"token":"open sesame"},"constructor":"c"}')
  const strange = [undefined, () => 1, 10n, Symbol('s'), Number.NaN, Buffer.from('x'), new Date(0)]
  const show = (value: unknown): string => JSON.stringify(redactValue(value))
  expect(show(deep)).toMatch(/^[^o]*"\[too deep\]"[\]}]*$/)
  expect(show(cyclic)).toBe('{"token":"[redacted]","self":["[circular]","[circular]"]}')
  expect(show(wide)).toContain('"[too deep]"')
  expect(show(throwing)).toBe('"[unreadable]"')
  expect(show(polluting)).toBe('{"__proto__":{"token":"[redacted]"},"constructor":"c"}')
  expect(show(strange)).toBe('[null,null,"10",null,null,"[1 bytes]",{}]')
  expect(Object.getPrototypeOf(redactValue(polluting))).toBe(Object.prototype)
})

const HOSTILE = [
  'a',
  'eyJ',
  'eyJaaaaaaaa.',
  'eyJaaaaaaaaaaaaaaaa',
  '.eyJ',
  'sk-',
  ' sk-a',
  'token=',
  'token: ',
  '"token":"',
  '\\"token\\":\\"',
  "token='\\",
  '\\',
  '"',
  'Authorization: ',
  'Bearer ',
  'cookie: a=b; ',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN RSA ',
  '://',
  '://a:',
  '://a:b',
  'password',
  '_key',
  'api_',
  '--token ',
  'SG.',
  'AKIA',
  ' \t',
  '\u001B[0',
  '%2',
  'a.b',
  'token=a.',
  'ghp_',
  'token:`',
]

// A quadratic algorithm would take minutes and reach the timeout of the test.
test('one megabyte of anything takes linear time', () => {
  const redactor = new Redactor(['aaaaaaaaaaaaaaab', 'tokentokentoken!'])
  for (const piece of HOSTILE) {
    const text = piece.repeat(1_000_000 / piece.length)
    expect(redactor.redact(text).length, piece).toBeGreaterThan(0)
    expect(redactor.trimCut(text).length, piece).toBeGreaterThan(0)
  }
}, 60_000)
