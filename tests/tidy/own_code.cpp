// A plugin of clang-tidy 16: its checks visit the project's own code instead of all that a file
// includes. They drop their findings in the headers of libraries in any case, but without the
// plugin they search them first, which takes more than half of the time, and four fifths of it in
// tests.
#include <memory>
#include <string>
#include <vector>

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>

namespace {

class OwnCode : public clang::ASTConsumer
{
public:
    void HandleTranslationUnit(clang::ASTContext& context) override
    {
        std::vector<clang::Decl*> own;
        for (clang::Decl* declaration : context.getTranslationUnitDecl()->decls())
            if (!context.getSourceManager().isInSystemHeader(declaration->getLocation())) own.push_back(declaration);
        context.setTraversalScope(own);
    }
};

class OwnCodeAction : public clang::PluginASTAction
{
public:
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& /*compiler*/,
                                                          llvm::StringRef /*file*/) override
    {
        return std::make_unique<OwnCode>();
    }

    bool ParseArgs(const clang::CompilerInstance& /*compiler*/, const std::vector<std::string>& /*arguments*/) override
    {
        return true;
    }

    ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<OwnCodeAction> kRegistered("own-code", "visits the project's own code only");

}  // namespace
