import 'virtual:theme-variables.css'
import '../design/mantine.css'
import '../design/tokens.css'
import '../design/base.css'
import '../design/skeleton.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from '../i18n/i18n.ts'
import { loadOperatorWords } from '../i18n/operator/words.ts'
import { operatorSession } from './api/session.ts'
import { OperatorApp } from './operator-app.tsx'
import { reloadForLinks, takeLinkToken } from './pages/access/link-token.ts'

// Out of the address bar and the history before anything else happens.
const linkToken = takeLinkToken()
reloadForLinks()
if (linkToken === null) void operatorSession.refresh()
await startI18n(loadOperatorWords)
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <OperatorApp linkToken={linkToken} />
  </StrictMode>,
)
