// At the limit of active sessions: asks whether the longest idle one may be put to sleep, and tries again.
import { ClientError } from '@quayside/client'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '../shared/controls/dialog.js'
import { strings } from '../strings/strings.js'

const words = strings.makeRoom

type Asked = { readonly limit: number; readonly settle: (mayMakeRoom: boolean) => void }

export type Room = {
  /** Calls `act` once more with `true` after the person agreed. Rejects as `act` does. */
  readonly withRoom: <Result>(act: (makeRoom: boolean) => Promise<Result>) => Promise<Result>
  readonly roomDialog: ReactNode
}

export function useRoom(): Room {
  const [asked, setAsked] = useState<Asked>()

  async function withRoom<Result>(act: (makeRoom: boolean) => Promise<Result>): Promise<Result> {
    try {
      return await act(false)
    } catch (error) {
      if (!(error instanceof ClientError) || !canMakeRoom(error)) throw error
      const limit = Number(error.details['limit'])
      const mayMakeRoom = await new Promise<boolean>((settle) => setAsked({ limit, settle }))
      setAsked(undefined)
      if (!mayMakeRoom) throw error
      return act(true)
    }
  }

  const roomDialog = asked && (
    <ConfirmDialog
      title={words.title(asked.limit)}
      text={words.text}
      action={words.action}
      isHarmless
      onConfirm={() => asked.settle(true)}
      onClose={() => asked.settle(false)}
    />
  )
  return { withRoom, roomDialog }
}

function canMakeRoom({ code, details }: ClientError): boolean {
  return code === 'session_limit' && details['canMakeRoom'] === true
}
