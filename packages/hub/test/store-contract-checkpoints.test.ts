// The contract of CheckpointStore and of turns in a log, for every engine.
import { describe, expect, test } from 'vitest'
import { addRepo, addSession, batchOf, ENGINES, eventOf } from './store-engines.js'

describe.each(ENGINES)('checkpoints in $name', ({ open }) => {
  test('checkpoints are stored with their events, and added to a log that has none', async () => {
    const opened = await open()
    const { store } = opened
    const id = await addSession(store, { repoId: await addRepo(store) })
    const checkpointOf = (seq: number, steps: number) => ({ seq, steps, state: `{"at":${seq}}` })
    await store.events.commit([
      batchOf(id, { events: [eventOf(id, 2), eventOf(id, 3)], checkpoints: [checkpointOf(3, 1)] }),
    ])
    const { checkpoints } = store
    await checkpoints.add(id, [checkpointOf(5, 7), checkpointOf(9, 7)])
    await checkpoints.add(id, [{ seq: 5, steps: 0, state: '{}' }])
    await checkpoints.add('unknown', [checkpointOf(1, 1)])

    expect(await checkpoints.find(id, 2)).toBeUndefined()
    expect(await checkpoints.find(id, 3)).toMatchObject({ seq: 3, steps: 1, state: '{"at":3}' })
    expect(await checkpoints.find(id, 8)).toMatchObject({ seq: 5, steps: 7, state: '{"at":5}' })
    expect(await checkpoints.find(id, 100)).toMatchObject({ seq: 9 })
    expect(await checkpoints.find('unknown', 100)).toBeUndefined()
    expect(await checkpoints.firstSeqOf(id, 7)).toBe(5)
    expect(await checkpoints.firstSeqOf(id, 2)).toBeUndefined()
    await opened.close()
  })

  test('a turn is found with its start and end, and the one that began last', async () => {
    const opened = await open()
    const { store } = opened
    const id = await addSession(store, { repoId: await addRepo(store) })
    expect(await store.events.findLastTurn(id)).toBeUndefined()
    const events = [
      eventOf(id, 2, { type: 'turn.started', data: { turnId: 'one' } }),
      eventOf(id, 3, { type: 'turn.ended', data: { turnId: 'never started' } }),
      eventOf(id, 4, { type: 'turn.ended', data: { turnId: 'one' } }),
      eventOf(id, 5, { type: 'turn.started', data: { turnId: 'two' } }),
    ]
    await store.events.commit([batchOf(id, { events })])
    expect(await store.events.findTurn(id, 'one')).toEqual({
      turnId: 'one',
      startedSeq: 2,
      endedSeq: 4,
    })
    expect(await store.events.findLastTurn(id)).toEqual({ turnId: 'two', startedSeq: 5 })
    expect(await store.events.findTurn(id, 'never started')).toBeUndefined()
    await opened.close()
  })
})
