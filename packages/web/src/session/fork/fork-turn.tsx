// The button at the end of a turn that forks the session there.
import { useSessionContext } from '../context/session-context.js'
import { useFork } from './use-fork.js'
import { forkWords } from './fork-words.js'

const words = forkWords

export function ForkTurn({ turnId }: { readonly turnId: string }) {
  const { sessionId } = useSessionContext()
  const { isForking, fork } = useFork(sessionId)
  return (
    <button
      type="button"
      className="quiet-button"
      title={words.aboutFork}
      disabled={isForking}
      onClick={() => fork({ turnId })}
    >
      {isForking ? words.forking : words.forkHere}
    </button>
  )
}
