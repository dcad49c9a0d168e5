import { useRef } from 'preact/hooks'

export function useValue(value: number) {
  return useRef(value)
}
