// Installs an agent in a terminal, and checks it again when the person returns to the list of agents.
import { useHub } from '@quayside/client/react'
import { useEffect, useState } from 'react'
import { useHubObjects } from '../hub/hub-context.js'
import { problemOf } from '../shared/problem.js'
import { navigate, terminalPath } from '../shared/route.js'

export type Install = {
  readonly isOpening: boolean
  readonly problem: string | undefined
  /** Opens the terminal in place of this page. */
  readonly install: () => void
}

/** Agents whose installation was begun on this page. */
const begun = new Set<string>()

export function useInstall(agentId: string): Install {
  const client = useHub()
  const [isOpening, setOpening] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function open() {
    setOpening(true)
    setProblem(undefined)
    try {
      const { id } = await client.agents.install(agentId)
      begun.add(agentId)
      navigate(terminalPath(id), { state: { from: location.pathname } })
    } catch (error) {
      setProblem(problemOf(error))
      setOpening(false)
    }
  }

  return { isOpening, problem, install: () => void open() }
}

export function useCheckAfterInstall(agentId: string): void {
  const { probes } = useHubObjects()
  useEffect(() => {
    if (begun.delete(agentId)) probes.check(agentId)
  }, [agentId, probes])
}
