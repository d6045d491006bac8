import { TextInput, type TextInputProps } from '../../design/field.tsx'

interface EmailFieldProps extends Pick<TextInputProps, 'label' | 'description' | 'error'> {
  readonly value: string
  readonly onChange: (value: string) => void
}

export const EmailField = ({ onChange, ...field }: EmailFieldProps) => (
  <TextInput
    {...field}
    type="email"
    autoComplete="email"
    name="email"
    maxLength={254}
    onChange={(event) => onChange(event.currentTarget.value)}
    required
  />
)
