import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { Deployment } from 'kubernetes-models/apps/v1'
import { Job } from 'kubernetes-models/batch/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, PersistentVolumeClaim, Service } from 'kubernetes-models/v1'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import {
  buildRenderer,
  type ChartRenderer,
  chartFile,
  defaultValues,
  merge,
  type Resource,
  valuesSchema,
} from '../../testkit/deploy/helm/render-chart.ts'
import { runsHelm, tools } from '../../testkit/installed-tools.ts'

const root = resolve(import.meta.dirname, '../..')
const models: Record<string, new (data: Resource) => { validate(): void }> = {
  ...{ ConfigMap, Deployment, Job, NetworkPolicy, PersistentVolumeClaim, PodDisruptionBudget, Service },
}
const paths: Record<string, string> = {
  ...{
    Deployment: 'apps/v1',
    Job: 'batch/v1',
    NetworkPolicy: 'networking.k8s.io/v1',
    PodDisruptionBudget: 'policy/v1',
  },
  ...{ ConfigMap: 'v1', PersistentVolumeClaim: 'v1', Service: 'v1' },
}

const needed = { origin: 'https://gateway.example', secretName: 'gateway' }
const everything = {
  ...needed,
  image: { tag: '1', pullSecrets: ['registry'] },
  trustedProxies: ['10.0.0.0/8', 'fd00::/8'],
  keysSecretName: 'gateway-keys',
  secretRevision: '2',
  env: { GATEWAY_SMS: 'aliyun' },
  data: { storageClassName: 'shared' },
  migrate: { secretName: 'gateway-owner' },
  networkPolicy: {
    publicFrom: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
    operatorFrom: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
  },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  podAnnotations: { team: 'payments' },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'dedicated', operator: 'Exists', effect: 'NoSchedule' }],
  affinity: { nodeAffinity: {} },
}

test('the chart has the version of the release', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(chartFile).toMatchObject({ version, appVersion: version })
})

describe('the values of the chart', () => {
  const check = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(valuesSchema)
  const accepts = (values: object) => check(merge(defaultValues, values))

  test('the values of the chart are checked: what is required, no unknown name, no image called latest', () => {
    expect(accepts(needed)).toBe(true)
    expect(accepts(everything)).toBe(true)
    for (const wrong of [
      {},
      { ...needed, origin: '' },
      { ...needed, secretName: '' },
      { ...needed, image: { tag: 'latest' } },
      { ...needed, replica: 3 },
      { ...needed, networkPolicy: { operatorfrom: [] } },
    ]) {
      expect(accepts(wrong)).toBe(false)
    }
    expect(Object.keys(valuesSchema.properties).filter((name) => name !== 'global')).toEqual(Object.keys(defaultValues))
  })

  test('the values of the chart hold a configuration that the gateway accepts, and the time to drain that it takes', async () => {
    const folder = await mkdtemp(join(root, 'node_modules/.helm-'))
    await writeFile(join(folder, 'gateway.json'), JSON.stringify(defaultValues.config))
    const { drainDelayMs, drainMs } = loadConfig({ GATEWAY_CONFIG: join(folder, 'gateway.json') }).server
    await rm(folder, { recursive: true })
    expect((drainDelayMs + drainMs) / 1000 + 15).toBe(35)
  })
})

describe.runIf(runsHelm)('the chart', () => {
  let renderer: ChartRenderer
  beforeAll(async () => {
    renderer = await buildRenderer(tools.go!)
  }, 300_000)
  afterAll(() => renderer?.close())
  const kinds = (resources: Resource[]) => resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()
  const one = (resources: Resource[], kind: string) => resources.find((resource) => resource.kind === kind)

  test.each([
    ['what is required', needed],
    ['everything', everything],
  ])('the chart makes resources that fit the Kubernetes schemas, with %s', async (_, values) => {
    const resources = await renderer.render(values)
    for (const resource of resources) {
      if (resource.kind !== 'ServiceMonitor') new models[resource.kind]!(resource).validate()
    }
    await checkFields(resources.filter(({ kind }) => kind !== 'ServiceMonitor'))
  })

  test('the chart makes what it says, and a ServiceMonitor only if asked', async () => {
    const base = [
      'ConfigMap shop-api-relay-gateway',
      'Deployment shop-api-relay-gateway',
      'Job shop-api-relay-gateway-migrate',
      'NetworkPolicy shop-api-relay-gateway',
      'PersistentVolumeClaim shop-api-relay-gateway',
      'PodDisruptionBudget shop-api-relay-gateway',
      'Service shop-api-relay-gateway',
      'Service shop-api-relay-gateway-operator',
    ]
    expect(kinds(await renderer.render(needed))).toEqual(base)
    expect(kinds(await renderer.render(everything))).toEqual([...base, 'ServiceMonitor shop-api-relay-gateway'].sort())
    const less = {
      data: { existingClaim: 'mine' },
      podDisruptionBudget: { enabled: false },
      networkPolicy: { enabled: false },
    }
    expect(kinds(await renderer.render({ ...needed, ...less }))).toEqual(
      base.filter((name) => !/^(Net|Persist|PodDis)/.test(name)),
    )
  })

  test('the chart runs gateways and the migration without root, rights and a writable root', async () => {
    const resources = await renderer.render(needed)
    for (const kind of ['Deployment', 'Job']) {
      const { spec } = one(resources, kind).spec.template
      expect(spec.automountServiceAccountToken).toBe(false)
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 })
      expect(spec.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(spec.containers[0].volumeMounts).toContainEqual({ name: 'data', mountPath: '/data' })
    }
  })

  test('the chart probes the operator listener, gives the time to drain, and keeps a gateway up while another is replaced', async () => {
    const { strategy, template } = one(await renderer.render(needed), 'Deployment').spec
    const [container] = template.spec.containers
    expect(template.spec.terminationGracePeriodSeconds).toBe(35)
    expect(strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'operator' })
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'operator' })
    const { failureThreshold, periodSeconds } = container.readinessProbe
    expect(failureThreshold * periodSeconds * 1000).toBeLessThan(defaultValues.config.server.drainDelayMs)
  })

  test('the image is the release of the chart, or the tag that is asked for', async () => {
    const images = async (values: object) =>
      (await renderer.render(values))
        .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
        .map(({ spec }) => spec.template.spec.containers[0].image)
    expect(await images(needed)).toEqual(Array(2).fill(`api-relay-gateway:${chartFile.appVersion}`))
    expect(await images(everything)).toEqual(Array(2).fill('api-relay-gateway:1'))
  })

  test('the chart gives the time to drain that the configuration asks for', async () => {
    const grace = async (server: object | null) =>
      one(await renderer.render({ ...needed, config: { server } }), 'Deployment').spec.template.spec
        .terminationGracePeriodSeconds
    expect(await grace({ drainMs: 120_000 })).toBe(140)
    expect(await grace({ drainMs: 1, drainDelayMs: 0 })).toBe(16)
    expect(await grace(null)).toBe(30)
  })

  test('the chart mounts key files from a Secret, and replaces gateways when the revision of the Secrets changes', async () => {
    const plain = one(await renderer.render(needed), 'Deployment').spec.template
    expect(JSON.stringify(plain)).not.toContain('gateway-keys')
    const { spec, metadata } = one(await renderer.render(everything), 'Deployment').spec.template
    const mount = { name: 'keys', mountPath: '/etc/gateway-keys', readOnly: true }
    expect(spec.containers[0].volumeMounts).toContainEqual(mount)
    expect(spec.volumes).toContainEqual({ name: 'keys', secret: { secretName: 'gateway-keys', defaultMode: 0o440 } })
    expect(metadata.annotations).not.toEqual(
      one(await renderer.render({ ...everything, secretRevision: '3' }), 'Deployment').spec.template.metadata
        .annotations,
    )
  })

  test('the chart refuses a ServiceMonitor that its own network policy would keep from the metrics', async () => {
    const monitored = { ...needed, serviceMonitor: { enabled: true } }
    await expect(renderer.render(monitored)).rejects.toThrow('needs networkPolicy.operatorFrom')
    const open = await renderer.render({ ...monitored, networkPolicy: { enabled: false } })
    expect(one(open, 'ServiceMonitor')).toBeDefined()
  })

  test('the chart migrates before an installation and an upgrade, with a Secret of its own', async () => {
    const job = one(await renderer.render(everything), 'Job')
    expect(job.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade')
    expect(job.spec.template.spec.containers[0]).toMatchObject({
      command: ['node', 'src/cli/cli.ts', 'migrate'],
      envFrom: [{ secretRef: { name: 'gateway-owner' } }],
    })
    const byDefault = one(await renderer.render(needed), 'Job')
    expect(byDefault.spec.template.spec.containers[0].envFrom).toEqual([{ secretRef: { name: 'gateway' } }])
    // A migration is no gateway: no Service sends it requests.
    const { selector } = one(await renderer.render(needed), 'Deployment').spec
    expect(job.spec.template.metadata.labels).not.toMatchObject(selector.matchLabels)
  })

  test('the chart passes settings that the gateway accepts', async () => {
    const [container] = one(await renderer.render({ ...everything, env: {} }), 'Deployment').spec.template.spec
      .containers
    const variables = Object.fromEntries(container.env.map(({ name, value }: Resource) => [name, value]))
    const { GATEWAY_CONFIG, ...others } = variables
    const config = loadConfig({ ...others, GATEWAY_SECRET: 'x'.repeat(40), DATABASE_URL: 'postgres://db/gateway' })
    expect([config.listen.port, config.operatorListen!.port]).toEqual([8787, 8788])
    expect(config.trustedProxies.check('10.1.2.3')).toBe(true)
    expect(GATEWAY_CONFIG).toBe('/etc/gateway/gateway.json')
  })

  test('the chart lets only the named clients reach the operator listener', async () => {
    const ports = (resources: Resource[]) =>
      one(resources, 'NetworkPolicy').spec.ingress.map(({ ports, from }: Resource) => [ports[0].port, from?.length])
    expect(ports(await renderer.render(needed))).toEqual([['http', undefined]])
    expect(ports(await renderer.render(everything))).toEqual([
      ['http', 1],
      ['operator', 1],
    ])
  })
})

/** The schemas allow names that they do not know; the types that were made of the same do not. */
async function checkFields(resources: Resource[]): Promise<void> {
  const folder = await mkdtemp(join(root, 'node_modules/.helm-'))
  const lines = resources.map(
    (resource, index) =>
      `import type { I${resource.kind} as T${index} } from 'kubernetes-models/${paths[resource.kind]}'\nexport const r${index}: T${index} = ${JSON.stringify(resource)}`,
  )
  await writeFile(join(folder, 'chart.ts'), lines.join('\n'))
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2024',
  ]
  try {
    await promisify(execFile)(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      ...options,
      join(folder, 'chart.ts'),
    ])
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout)
  } finally {
    await rm(folder, { recursive: true })
  }
}
