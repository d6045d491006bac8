import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { eachRow } from '../../testkit/each-row.ts'
import { startGateway } from '../../testkit/gateway/gateway.ts'

const deploy = resolve(import.meta.dirname, '../../deploy')
const read = (name: string) => readFileSync(join(deploy, name), 'utf8')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}
const rules: Rule[] = parse(read('prometheus/alerts.yml')).groups.flatMap(({ rules }: { rules: Rule[] }) => rules)
const dashboard = JSON.parse(read('grafana/dashboard.json'))
const panels: { title: string; targets: { expr: string }[] }[] = dashboard.panels
const expressions = [
  ...rules.flatMap(({ expr, annotations }) => [expr, ...annotations.summary.matchAll(/query \\?"([^"]+)"/g)].flat()),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  dashboard.templating.list[1].query.query as string,
].map(String)

/** What Prometheus adds to what is scraped. */
const ofPrometheus = { metrics: ['up'], labels: ['instance', 'job', 'le'] }

const monitoring = readFileSync(resolve(deploy, '../docs/monitoring.md'), 'utf8')

/** The labels of each metric, as docs/monitoring.md lists them; a test compares that list with the source. */
const documented = new Map(
  [...monitoring.matchAll(/`(gateway_[a-z_]+)(?:\{([a-z,]+)\})?`/g)].map(([, name, labels]) => [
    name!,
    labels?.split(',') ?? [],
  ]),
)

const metricsIn = (text: string) =>
  [...text.matchAll(/\b(?:gateway|process|nodejs)_[a-z0-9_]+|\bup\b/g)].map(([name]) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  )
const labelsIn = (text: string) => [
  ...[...text.matchAll(/([a-z_]+)\s*(?:=~|!=|!~|=)"/g)].map(([, label]) => label!),
  ...[...text.matchAll(/\bby \(([a-z_, ]+)\)/g)].flatMap(([, labels]) => labels!.split(/,\s*/)),
]

describe('the alert rules and the dashboard', () => {
  test('the alert rules and the dashboard name only metrics that a gateway on PostgreSQL serves', async () => {
    const gateway = await startGateway({ engine: 'postgres' })
    const { text } = await gateway.operator('/metrics')
    await gateway.stop()
    const served = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!))
    const used = new Set(expressions.flatMap(metricsIn))
    expect(used.size).toBeGreaterThan(20)
    expect([...used].filter((name) => !served.has(name) && !ofPrometheus.metrics.includes(name))).toEqual([])
  })

  test('the alert rules and the dashboard show every metric of the gateway, and the runbook has a line for every alert', () => {
    const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr))))
    expect([...documented.keys()].filter((name) => !shown.has(name))).toEqual([])
    const runbook = [...monitoring.matchAll(/^\| `(Gateway\w+)` \| .+ \|$/gm)].map(([, name]) => name)
    expect(runbook).toEqual(rules.map(({ alert }) => alert))
  })

  test('the alert rules and the dashboard use only labels that their metrics have', () =>
    eachRow(expressions, String, (expression) => {
      const known = metricsIn(expression).flatMap((name) => documented.get(name) ?? [])
      expect(labelsIn(expression).filter((label) => ![...known, ...ofPrometheus.labels].includes(label))).toEqual([])
    }))

  test('the alert rules and the dashboard have a severity and say what is wrong', () => {
    for (const { labels, annotations } of rules) {
      expect(['critical', 'warning']).toContain(labels.severity)
      expect(annotations.summary).toBeTruthy()
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
  })

  test('the alert rules and the dashboard have an Alertmanager whose routes lead to a receiver and name alerts and severities that exist', () => {
    const { route, receivers, inhibit_rules } = parse(readFileSync(join(deploy, 'prometheus/alertmanager.yml'), 'utf8'))
    const names = receivers.map(({ name }: { name: string }) => name)
    for (const { receiver } of [route, ...route.routes]) expect(names).toContain(receiver)
    const matchers: string[] = [
      ...route.routes.flatMap((one: { matchers: string[] }) => one.matchers),
      ...inhibit_rules.flatMap((rule: Record<string, string[]>) => Object.values(rule).flat()),
    ]
    const known = rules.flatMap(({ alert, labels }) => [`alertname="${alert}"`, `severity="${labels.severity}"`])
    expect(matchers.length).toBeGreaterThan(2)
    expect(matchers.filter((matcher) => !known.includes(matcher))).toEqual([])
  })
})
