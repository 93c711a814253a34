// Validates glTF files with Khronos's validator: no error, no warning, an animation.
const [directory, ...files] = process.argv.slice(2);
const path = require("path");
const fs = require("fs");
const validator = require(path.resolve(directory, "node_modules/gltf-validator"));

(async () => {
  for (const file of files) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
    const { numErrors, numWarnings, messages } = report.issues;
    if (numErrors + numWarnings > 0 || report.info.animationCount !== 1) {
      console.error(file, JSON.stringify(messages.slice(0, 5), null, 1), report.info);
      process.exit(1);
    }
    const { totalVertexCount, totalTriangleCount, drawCallCount } = report.info;
    const name = path.join(path.basename(path.dirname(file)), path.basename(file));
    console.log(`${name}: valid, ${totalVertexCount} vertices, ${totalTriangleCount} triangles, ${drawCallCount} primitives`);
  }
})();
