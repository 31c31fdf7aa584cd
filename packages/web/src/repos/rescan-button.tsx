// The button that makes the hub scan for repositories.
import { useState } from 'react'
import { useHubObjects } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { strings } from '../strings/strings.js'

type RescanButtonProps = { readonly className: 'button' | 'quiet-button' }

export function RescanButton({ className }: RescanButtonProps) {
  const { lists } = useHubObjects()
  const [isScanning, setScanning] = useState(false)

  async function scan() {
    setScanning(true)
    await lists.scan()
    setScanning(false)
  }

  return (
    <button type="button" className={className} disabled={isScanning} onClick={() => void scan()}>
      <Icon name="refresh" size={className === 'button' ? 16 : 14} />
      {isScanning ? strings.home.rescanning : strings.home.rescan}
    </button>
  )
}
