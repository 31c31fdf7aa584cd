// One choice out of a list, remembered in this browser; the first one when nothing fitting is remembered.
import { useState } from 'react'

export function useRemembered(
  key: string,
  choices: readonly { readonly id: string }[],
): [string | undefined, (id: string) => void] {
  const [chosen, setChosen] = useState(() => localStorage.getItem(key))
  const choice = choices.find(({ id }) => id === chosen) ?? choices[0]

  function choose(id: string) {
    localStorage.setItem(key, id)
    setChosen(id)
  }

  return [choice?.id, choose]
}
