// Starts the web app: signs in with the code in the address, if any, then renders.
import { AgentChatClient } from '@quayside/client'
import { HubProvider } from '@quayside/client/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Access } from './hub/access.js'
import { AgentProbes } from './hub/agent-probes.js'
import { App } from './app.js'
import { forgetDrafts } from './drafts/draft.js'
import { openFromNotifications } from './attention/notify.js'
import { HubLists } from './hub/hub-lists.js'
import { startServiceWorker } from './workers/workers.js'
import { HubObjectsProvider } from './hub/hub-context.js'
import { followOtherTabs } from './shared/preferences.js'
import { blockFileDrops } from './shared/block-file-drops.js'
import { Updates } from './shell/updates.js'

openFromNotifications()
const client = new AgentChatClient(location.origin)
const access = new Access(client, forgetDrafts)
const lists = new HubLists(client)
const probes = new AgentProbes(client)
void access.start()
followOtherTabs()
blockFileDrops()
const updates = new Updates(client)
if (import.meta.env.PROD) void startServiceWorker((registration) => updates.watch(registration))

const root = document.querySelector('#root')
if (!root) throw new Error('index.html has no #root.')
createRoot(root).render(
  <StrictMode>
    <HubProvider client={client}>
      <HubObjectsProvider access={access} lists={lists} probes={probes}>
        <App />
      </HubObjectsProvider>
    </HubProvider>
  </StrictMode>,
)
