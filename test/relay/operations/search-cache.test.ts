import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSearchCache } from '../../../src/relay/operations/search.ts'

it('the search cache stays within its bounds over all projects, and drops the oldest project first', () => {
  const cache = createSearchCache({ cacheSeconds: 60, cachePerProject: 3, maxEntries: 4, clock: () => 0 })
  for (const project of ['one', 'two', 'three']) {
    cache.put(project, { query: 1 }, [])
    cache.put(project, { query: 2 }, [])
  }
  const kept = ['one', 'two', 'three'].map((project) => [1, 2].filter((query) => cache.get(project, { query })))
  expect(kept).toEqual([[], [1, 2], [1, 2]])
})

it('the search cache agrees with a plain list of the latest writes, whatever is written and read', () => {
  const step = fc.record({ project: fc.constantFrom('p', 'q'), query: fc.nat(3), wait: fc.nat(40) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let now = 0
      const cache = createSearchCache({ cacheSeconds: 0.1, cachePerProject: 2, clock: () => now })
      let model: { project: string; query: number; at: number }[] = []
      for (const { project, query, wait } of steps) {
        now += wait
        const fresh = model.filter((entry) => entry.project === project && entry.at + 100 > now)
        expect(cache.get(project, { query }) !== undefined).toBe(fresh.some((entry) => entry.query === query))
        cache.put(project, { query }, [])
        const others = model.filter((entry) => entry.project === project && entry.query !== query)
        model = [
          ...model.filter((entry) => entry.project !== project),
          ...others.slice(-1),
          { project, query, at: now },
        ]
      }
    }),
  )
})
