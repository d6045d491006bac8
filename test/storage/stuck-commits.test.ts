import { expect, test } from 'vitest'
import { StuckCommits } from '../../src/storage/postgres/stuck-commits.ts'

/** Sessions of a server, of which `waiting` still wait for a standby. */
function stuckOn(limit: number) {
  const waiting = new Set<number>()
  const asked: (readonly number[])[] = []
  const stuck = new StuckCommits({
    limit,
    stillWaiting: async (pids) => {
      asked.push(pids)
      return pids.filter((pid) => waiting.has(pid))
    },
  })
  const giveUp = (pid: number) => {
    waiting.add(pid)
    stuck.add(pid)
  }
  return { stuck, waiting, asked, giveUp }
}

test('commits are refused while the server still has as many as the limit', async () => {
  const { stuck, waiting, giveUp } = stuckOn(2)
  giveUp(1)
  await stuck.refuse()
  giveUp(2)
  await expect(stuck.refuse()).rejects.toThrow('2 commits still wait for the synchronous standby')
  waiting.delete(1)
  await stuck.refuse()
  giveUp(3)
  await expect(stuck.refuse()).rejects.toThrow('2 commits still wait')
})

test('sessions that wait for something else do not count, and the server is asked once for all', async () => {
  const { stuck, asked } = stuckOn(2)
  for (const pid of [1, 2]) stuck.add(pid)
  await Promise.all(Array.from({ length: 20 }, () => stuck.refuse()))
  expect(asked).toEqual([[1, 2]])
})

test('a server that cannot be asked refuses nothing', async () => {
  const stuck = new StuckCommits({ limit: 1, stillWaiting: () => Promise.reject(new Error('it is gone')) })
  stuck.add(1)
  await stuck.refuse()
})
