import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, freshDatabase } from '../../../testkit/store/engines.ts'
import { checkModel } from './model-check.ts'

let database: Database
beforeEach(async () => {
  database = await freshDatabase('postgres')
})
afterEach(() => database.remove())

test('random schedules of transactions give the same results on the model as on PostgreSQL', async () => {
  const { schedules, waits, errors } = await checkModel(database.databaseUrl, { schedules: 150 })
  expect(schedules).toBe(150)
  expect(waits).toBeGreaterThan(30)
  expect(Object.keys(errors).sort()).toEqual(['23505', '40P01', '55P03'])
})
