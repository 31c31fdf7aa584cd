// At the limit of active sessions: starts a session in place of the longest idle one, when the person agrees or asked for it.
import { type AgentSession, ClientError, type PromptAccepted } from '@quayside/client'
import type { Command } from 'commander'
import { ask, isAtTerminal } from './ask-person.js'
import type { CommandIo } from './command-io.js'
import { CommandError, EXIT } from './exit-codes.js'

/** `start` creates or resumes a session. */
type Start<T> = (makeRoom: boolean) => Promise<T>
type RoomFlags = { readonly makeRoom?: boolean; readonly json?: boolean }

export function addMakeRoomOption(command: Command): Command {
  return command.option(
    '--make-room',
    'at the limit of active sessions, put the longest idle one to sleep',
  )
}

/** Sends a prompt to a session, which wakes first if it sleeps. */
export function promptWithRoom(
  { session, text }: { readonly session: AgentSession; readonly text: string },
  flags: RoomFlags,
  io: CommandIo,
): Promise<PromptAccepted> {
  const send = async (makeRoom: boolean) => {
    if (makeRoom) await session.resume({ makeRoom })
    return session.prompt(text).accepted
  }
  return withRoom(send, flags, io)
}

export async function withRoom<T>(start: Start<T>, flags: RoomFlags, io: CommandIo): Promise<T> {
  const { makeRoom = false, json = false } = flags
  try {
    return await start(makeRoom)
  } catch (error) {
    if (makeRoom || !(error instanceof ClientError) || !canMakeRoom(error)) throw error
    // Its second sentence is for programs.
    const [limit = ''] = error.message.split(/(?<=\.) /)
    if (json || !isAtTerminal(io))
      throw new CommandError(
        `${limit} Use --make-room to put the longest idle one to sleep, or end one: quayside sessions end`,
        EXIT.failed,
        { cause: error },
      )
    const answer = await ask(
      io,
      `${limit}\nPut the longest idle session to sleep and start? [Y/n] `,
    )
    if (!/^(y(es)?)?$/i.test(answer)) throw new CommandError('Nothing was started.', EXIT.cancelled)
    return start(true)
  }
}

function canMakeRoom({ code, details }: ClientError): boolean {
  return code === 'session_limit' && details['canMakeRoom'] === true
}
