import { expect, test } from 'vitest'
import { step } from '../../../src/storage/schema/migrations.ts'
import { createTemplate, epoch } from '../template.ts'
import { findStepFault } from './steps.ts'

test('a migration that loses or changes rows is named', async () => {
  const { store, remove } = await createTemplate()
  const faultOf = (sql: string) => findStepFault(store, [step(90, 'fine', ''), step(91, 'wrong', sql)], epoch)

  expect(await faultOf('CREATE TABLE more (id TEXT NOT NULL PRIMARY KEY) STRICT')).toBeNull()
  expect(await faultOf(`UPDATE projects SET name = 'Other'`)).toBe('migration 91 (wrong) changed rows of projects')
  expect(await faultOf('DELETE FROM secret_versions')).toBe('migration 91 (wrong) changed rows of secret_versions')
  expect(await faultOf('DROP TABLE nothing')).toMatch('migration 91 (wrong) failed')
  remove()
})
