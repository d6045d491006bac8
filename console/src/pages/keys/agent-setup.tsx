import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Segments } from '../../design/choices.tsx'
import { CodeBlock } from '../../design/copy.tsx'
import styles from './keys.module.css'

/** What to paste where, for common clients of the Model Context Protocol. */
const clients = {
  claude: {
    name: 'Claude Code',
    setup: (url: string, key: string) =>
      `claude mcp add --transport http gateway ${url} --header "Authorization: Bearer ${key}"`,
  },
  cursor: {
    name: 'Cursor',
    setup: (url: string, key: string) => inJson({ mcpServers: { gateway: { url, headers: bearer(key) } } }),
  },
  vscode: {
    name: 'VS Code',
    setup: (url: string, key: string) => inJson({ servers: { gateway: { type: 'http', url, headers: bearer(key) } } }),
  },
} as const
type Client = keyof typeof clients

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
const inJson = (value: object) => JSON.stringify(value, null, 2)

export function AgentSetup({ apiKey }: { apiKey: string }) {
  const { t } = useTranslation()
  const [client, setClient] = useState<Client>('claude')
  const { name, setup } = clients[client]
  return (
    <div className={styles.form}>
      <Segments
        aria-label={t('keys.agentClient')}
        value={client}
        onChange={setClient}
        data={(Object.keys(clients) as Client[]).map((value) => ({ value, label: clients[value].name }))}
      />
      <CodeBlock
        label={name}
        code={setup(`${location.origin}/mcp`, apiKey)}
        hint={t(`keys.agentSetup.${client}`)}
        isWrapped
      />
    </div>
  )
}
