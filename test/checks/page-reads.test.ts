// A page changes when its messages arrive, so what a test expects of it is asked again until it is true.
import { expect, test } from 'vitest'
import { filesBelow, readText } from './source-tree.ts'

const READS =
  'count|title|isVisible|isEnabled|isDisabled|isChecked|innerText|textContent|inputValue|getAttribute|allInnerTexts|allTextContents'
const READ_ONCE = new RegExp(
  String.raw`expect\(\s*await [^()\s](?:(?!\bawait\b).)*?\.(${READS})\(`,
  's',
)

function readsOnce(text: string): string[] {
  return text.split(/^(?=\s*(?:await )?expect)/m).flatMap((part) => READ_ONCE.exec(part)?.[0] ?? [])
}

test('no test of the page expects what it reads to be true at once', () => {
  const files = filesBelow('packages/web/test').filter((file) => file.endsWith('.ts'))
  expect(
    files.flatMap((file) => readsOnce(readText(file)).map((read) => `${file}: ${read}`)),
  ).toEqual([])
})

test('a value that is read once is found, a poll is not', () => {
  expect(readsOnce("expect(await page.getByText('x').count()).toBe(0)")).toHaveLength(1)
  expect(readsOnce("await expect.poll(() => page.getByText('x').count()).toBe(0)")).toEqual([])
})
