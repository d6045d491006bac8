import { readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'

const dist = new URL('../../../console/dist/', import.meta.url)
const assets = readdirSync(new URL('assets/', dist))
const packedBytes = (name: string) => statSync(new URL(`assets/${name}.gz`, dist)).size
const largest = (pattern: RegExp) =>
  Math.max(...assets.filter((name) => pattern.test(name)).map((name) => packedBytes(name)))

test('the first visit loads less than 200 KB', () => {
  const html = readFileSync(new URL('index.html', dist), 'utf8')
  const named = [...html.matchAll(/\/console\/assets\/([\w.-]+)/g)].map(([, name]) => name!)
  expect(named.some((name) => name.endsWith('.css'))).toBe(true)
  const language = largest(/^(en|zh)-[\w-]+\.js$/)
  const page = largest(/^(overview|usage|playground|register|recover|recharge|account)-[\w-]+\.js$/)
  const total = named.reduce((sum, name) => sum + packedBytes(name), 0) + language + page
  expect(total).toBeLessThan(200_000)
})

test('payers download nothing of the operator console', () => {
  const scripts = (directory: string) =>
    readdirSync(new URL(directory, dist))
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(new URL(`${directory}${name}`, dist), 'utf8'))
  const isOfOperators = (script: string) => script.includes('gateway-operator')
  expect(scripts('operator/assets/').filter(isOfOperators)).toHaveLength(1)
  expect(scripts('assets/').filter(isOfOperators)).toEqual([])
})

test.each(['index.html', 'operator/operator.html'])('%s has no script, style or handler inside it', (path) => {
  const html = readFileSync(new URL(path, dist), 'utf8')
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
})
