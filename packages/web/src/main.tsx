// Starts the web app: signs in with the code in the address if there is one, then draws.
import { AgentChatClient } from '@quayside/client'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Access } from './access/access.js'
import { App } from './app.js'
import { HubLists } from './home/hub-lists.js'
import { HubProvider } from './shared/hub-context.js'

const client = new AgentChatClient(location.origin)
const access = new Access(client)
const lists = new HubLists(client)
void access.start()

const root = document.querySelector('#root')
if (!root) throw new Error('index.html has no #root.')
createRoot(root).render(
  <StrictMode>
    <HubProvider hub={{ client, access, lists }}>
      <App />
    </HubProvider>
  </StrictMode>,
)
