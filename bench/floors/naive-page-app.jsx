// The naive page: one state with every event, one mounted element for every row.
import { useEffect, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'

function App({ first }) {
  const [events, setEvents] = useState(first)
  const rows = useMemo(() => toRows(events), [events])
  useEffect(() => {
    globalThis.stream = ({ count, atOnce }) => {
      let sent = 0
      const timer = setInterval(() => {
        for (let index = 0; index < atOnce; index += 1)
          setEvents((before) => [...before, chunk(`drop ${sent + index} `)])
        sent += atOnce
        if (sent >= count) clearInterval(timer)
      }, 10)
    }
  }, [])
  useEffect(() => {
    document.scrollingElement.scrollTop = document.scrollingElement.scrollHeight
  })
  return (
    <main>
      {rows.map((row, index) => (
        <article key={index} className={row.kind}>
          {row.text.split('\n\n').map((paragraph, at) => (
            <p key={at}>
              {paragraph.split(' ').map((word, number) => (
                <span key={number}>{word} </span>
              ))}
            </p>
          ))}
        </article>
      ))}
      <i id="last" />
    </main>
  )
}

function toRows(events) {
  const rows = []
  for (const { type, data } of events) {
    if (type !== 'acp.update') continue
    const { update } = data
    const text = update.content?.text ?? update.title ?? update.entries?.[0]?.content ?? ''
    const last = rows.at(-1)
    const isChunk = update.sessionUpdate.endsWith('_chunk')
    if (isChunk && last?.kind === update.sessionUpdate) last.text += text
    else rows.push({ kind: update.sessionUpdate, text })
  }
  return rows
}

function chunk(text) {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
  return { type: 'acp.update', data: { update } }
}

const events = await (await fetch('/events.json')).json()
createRoot(document.querySelector('#root')).render(<App first={events} />)
