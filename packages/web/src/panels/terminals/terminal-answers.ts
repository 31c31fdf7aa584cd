// Decides which queries of a program the screen answers. An answer arrives as if a person had typed it, so there must be one
// at most, and none that a program can fill with text of its own.
import type { Terminal } from '@xterm/xterm'

/** Queries about the terminal and its cursor (DA, DSR, DECRQM). */
const QUERIES = [
  { final: 'c' },
  { prefix: '>', final: 'c' },
  { final: 'n' },
  { prefix: '?', final: 'n' },
  { intermediates: '$', final: 'p' },
  { prefix: '?', intermediates: '$', final: 'p' },
]
/** Queries about the state of the screen (DECRQSS). */
const STATE_QUERY = { intermediates: '$', final: 'q' }
/** They set colours, or ask for them with a question mark. */
const COLOUR_SEQUENCES = [4, 10, 11, 12]
const FOCUS_GAINED = '\u001B[I'
const FOCUS_LOST = '\u001B[O'

/** Returns a function that is false for a report of the focus that this tab must not send. A handler that returns true swallows the query. */
export function limitAnswers({ parser }: Terminal): (data: string) => boolean {
  // Every tab that shows the terminal gets the query; the one that the person uses answers.
  for (const query of QUERIES) parser.registerCsiHandler(query, () => !document.hasFocus())
  parser.registerDcsHandler(STATE_QUERY, () => true)
  for (const sequence of COLOUR_SEQUENCES)
    parser.registerOscHandler(sequence, (data) => data.includes('?'))
  let hadFocus = false
  return (data) => {
    if (data !== FOCUS_GAINED && data !== FOCUS_LOST) return true
    const isNews = data === FOCUS_GAINED ? document.hasFocus() : hadFocus
    hadFocus = isNews && data === FOCUS_GAINED
    return isNews
  }
}
