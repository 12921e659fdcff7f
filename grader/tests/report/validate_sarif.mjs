// Holds SARIF files against the official JSON schema, and prints what is wrong with them; exits 1 if anything is.
//
//   node validate_sarif.mjs TOOLS FILE...
//
// TOOLS has the node_modules. The schema, and a validator that reads its draft of JSON Schema, come with jest-sarif.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const [tools, ...files] = process.argv.slice(2)
if (files.length === 0) {
  console.error('usage: node validate_sarif.mjs TOOLS FILE...')
  process.exit(2)
}
const schemaFile = path.resolve(tools, 'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')
const require = createRequire(schemaFile)
const Ajv = require('ajv')
const ajv = new Ajv({ schemaId: 'auto', allErrors: true, unknownFormats: 'ignore' })
ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-04.json'))
const validate = ajv.compile(JSON.parse(readFileSync(schemaFile, 'utf8')))

let bad = 0
for (const file of files) {
  if (validate(JSON.parse(readFileSync(file, 'utf8')))) continue
  ++bad
  for (const { dataPath, message } of validate.errors) console.log(`${path.basename(file)}${dataPath} ${message}`)
}
process.exitCode = bad === 0 ? 0 : 1
