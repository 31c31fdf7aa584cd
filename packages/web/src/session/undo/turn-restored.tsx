// The notice of an undo or a redo: its files, those that were left, and the way back.
import { useHub, useSession, useTimeline } from '@quayside/client/react'
import { escapeInvisible, type NoticeItem } from '@quayside/protocol'
import { useMemo, useRef } from 'react'
import { Dialog } from '../../shared/controls/dialog.js'
import { Icon } from '../../shared/controls/icon.js'
import { shown } from '../../shared/controls/path-text.js'
import { showToast } from '../../shared/controls/toasts.js'
import {
  composerField,
  hasKeyboard,
  restoreFocus,
  useLeavingFocus,
} from '../../shared/page-focus.js'
import { undoWords as words } from '../../strings/undo-words.js'
import { useSessionContext } from '../context/session-context.js'
import { ChangedSince } from './changed-since.js'
import { useUndoneTurns } from './undone-turns.js'
import { useRestore } from './use-restore.js'

const MAX_NAMED = 10
const PROMPT_CHARS = 60

export function TurnRestored({ item }: { readonly item: NoticeItem }) {
  const { compose } = useSessionContext()
  const latest = useUndoneTurns().at(-1)
  const prompt = usePrompt(item.turnId)
  const paths = pathsIn(item, 'paths')
  const left = pathsIn(item, 'left')
  const text = item.code === 'turn_undone' ? words.undone : words.redone
  return (
    <div className="line info" data-testid="turn-restored">
      <Icon name="refresh" size={14} />
      <span dir="auto">
        {text(paths.length, prompt)}
        {left.length > 0 && ` ${words.left} ${named(left)}`}
      </span>
      {compose && latest?.noticeId === item.id && <Redo />}
    </div>
  )
}

/** The button that redoes the latest undo, if it is on the page. */
export function redoButton(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-testid=redo]')
}

function Redo() {
  const { sessionId } = useSessionContext()
  const { http } = useHub()
  const { turnId: running } = useSession(sessionId)
  const element = useRef<HTMLSpanElement>(null)
  const { state, run, reset } = useRestore(
    (force) => http.call('POST /api/sessions/{sessionId}/redo', { sessionId, ...force }),
    ({ paths }) => showToast({ text: words.redone(paths.length, undefined) }),
  )
  useLeavingFocus(element, () => hasKeyboard() && restoreFocus(composerField))
  const isBusy = running !== undefined
  return (
    <>
      {state.is === 'ready' && state.problem !== undefined && (
        <span className="problem" role="alert">
          {state.problem}
        </span>
      )}
      <span ref={element} className="line-action">
        <button
          type="button"
          className="quiet-button strong"
          data-testid="redo"
          disabled={isBusy || state.is === 'sending'}
          title={isBusy ? words.afterTurn : undefined}
          onClick={() => run()}
        >
          {words.redo}
        </button>
        {state.is === 'changed' && (
          <Dialog title={words.redo} onClose={reset}>
            <ChangedSince paths={state.paths} onForce={run} onClose={reset} />
          </Dialog>
        )}
      </span>
    </>
  )
}

/** The beginning of the prompt of a turn, if it is loaded. */
function usePrompt(turnId: string | undefined): string | undefined {
  const { sessionId } = useSessionContext()
  const { ids, item } = useTimeline(sessionId)
  return useMemo(() => {
    const found = ids
      .map(item)
      .find((one) => one?.type === 'user' && turnId !== undefined && one.turnId === turnId)
    const line = found?.type === 'user' ? (found.text.trim().split('\n')[0] ?? '') : ''
    if (line === '') return undefined
    const start = line.slice(0, PROMPT_CHARS)
    return escapeInvisible(start.length < line.length ? `${start}…` : start)
  }, [ids, item, turnId])
}

function pathsIn({ details }: NoticeItem, name: 'paths' | 'left'): readonly string[] {
  const paths = details?.[name]
  return Array.isArray(paths) ? paths.map(String) : []
}

function named(paths: readonly string[]): string {
  const names = paths.slice(0, MAX_NAMED).map(shown).join(', ')
  const more = paths.length - MAX_NAMED
  return more > 0 ? `${names} ${words.moreFiles(more)}` : names
}
