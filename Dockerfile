# The program `ambit` in an image: docker build -t ambit . && docker run --rm -it -v "$PWD:/work" ambit check policy.yaml
FROM node:20-slim AS build
COPY . /ambit
WORKDIR /ambit
RUN npm run pack -- /tarballs

FROM node:20-slim
COPY --from=build /tarballs /tarballs
# The SDKs are optional packages: the image can run workers, and use MCP servers.
RUN npm install --global --no-audit --no-fund /tarballs/*.tgz @anthropic-ai/sdk@1.11.0 @modelcontextprotocol/sdk@1.32.2
USER node
WORKDIR /work
ENTRYPOINT ["ambit"]
CMD ["--help"]
