// What the first page says when the hub found no repository.
import { useState } from 'react'
import { CopyButton } from '../shared/copy-button.js'
import { useHub } from '../shared/hub-context.js'
import { Icon } from '../shared/icon.js'
import { strings } from '../strings.js'

const COMMAND = 'quayside start --root ~/src'
const words = strings.home

export function NoRepos() {
  const { lists } = useHub()
  const [isScanning, setScanning] = useState(false)

  async function scan() {
    setScanning(true)
    await lists.scan()
    setScanning(false)
  }

  return (
    <div className="home">
      <div className="home-column narrow">
        <h1 className="display">{words.noReposTitle}</h1>
        <p className="lead">{words.noReposText}</p>
        <div className="command-row">
          <pre className="command">{COMMAND}</pre>
          <CopyButton text={COMMAND} />
        </div>
        <button type="button" className="button" disabled={isScanning} onClick={() => void scan()}>
          <Icon name="refresh" />
          {isScanning ? words.rescanning : words.rescan}
        </button>
      </div>
    </div>
  )
}
