// What the first page says when the hub found no repository.
import { useState } from 'react'
import { useHub } from '../shared/hub-context.js'
import { Icon } from '../shared/icon.js'

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
        <h1 className="display">No repositories here yet</h1>
        <p className="lead">
          Quayside looks for git repositories under the folder it was started in. Start it with
          another folder, or put a repository here and look again.
        </p>
        <pre className="command">quayside start --root ~/src</pre>
        <button className="button" disabled={isScanning} onClick={() => void scan()}>
          <Icon name="refresh" />
          {isScanning ? 'Looking…' : 'Look again'}
        </button>
      </div>
    </div>
  )
}
